"""What can be touched: buttons, lamps, buzzer, OLED. The only room that imports gpiozero or luma."""
