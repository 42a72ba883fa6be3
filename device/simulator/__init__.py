"""The box as a web page: the same service and parts on gpiozero's mock pins and a modelled display chip."""
