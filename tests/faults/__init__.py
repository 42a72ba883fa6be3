"""The map of faults: what goes wrong with such boxes, and which tests stand it (paths below tests/).

"hardware:" marks what a machine without volts cannot show, in the words of the list in hardware/README.md. test_map.py
holds the map against both.

Buttons
- an exception in a pin's callback ends the one thread of events, and every button with it
    parts/test_board.py::test_a_put_that_raises_kills_nothing_and_is_told_once
    parts/test_board.py::test_a_tell_that_raises_kills_nothing_either
    parts/test_linefactory.py::test_a_callback_that_raises_ends_nothing
- one push arrives as two to four, or is gone: the library's own bounce_time drops short pulses both ways
    table/test_contacts.py::test_what_comes_of_edges
    parts/test_board.py::test_every_edge_of_every_button_comes_bounces_and_all
    hardware: how your buttons bounce
- the first of two presses bounces, and the second, clean one is taken for the first
    table/test_contacts.py::test_bouncing_presses_come_in_the_order_of_their_first_edges
    rehearsal/test_evenings.py::test_places_go_by_the_press
    virtual_pi/test_b_evening.py::test_two_presses_a_millisecond_apart_keep_their_order_fifty_times
- whoever is heard of late is dated late, or by the order in which buttons are looked at
    parts/test_board.py::test_an_edge_carries_the_time_of_the_pins_own_event
    parts/test_linefactory.py::test_edges_come_with_the_kernels_stamp_and_the_buttons_number
    parts/test_linefactory.py::test_edges_of_several_lines_read_together_are_handed_on_in_the_order_of_their_stamps
    table/test_late_news.py::test_a_claim_heard_late_takes_the_place_of_its_press
- stamps come from another clock: the wall's, or one that wraps
    parts/test_board.py::test_a_stamp_of_the_wall_clock_is_not_believed
    parts/test_board.py::test_ticks_of_another_clock_are_turned_into_ours
- a hold fires and the press of the same finger counts as well
    table/test_hands.py::test_what_has_done_its_work_is_neither_press_nor_hold
- a button is down at power-on: only its release will ever be reported
    faults/test_pins.py::test_a_button_stuck_since_power_on_does_nothing_and_the_others_play
    parts/test_board.py::test_a_button_held_at_power_on_is_down_and_reports_only_its_release
    table/test_contacts.py::test_held_since_power_on_does_nothing_until_it_was_let_go
    rehearsal/test_evenings.py::test_a_button_held_at_power_on_does_nothing_until_it_was_let_go
- a button sticks in the middle of a race
    faults/test_pins.py::test_a_button_that_sticks_in_the_race_claims_once_and_the_others_play
    faults/test_pins.py::test_a_held_down_button_does_not_keep_the_box_from_its_end
    rehearsal/test_found.py::test_a_button_that_sticks_does_not_let_the_menu_undo_what_was_settled
- a release is lost: a hold that never ends
    faults/test_pins.py::test_a_release_that_is_never_heard_of_heals
    table/test_contacts.py::test_a_lost_edge_heals
- a wire rings without end
    faults/test_pins.py::test_a_pin_that_rings_a_thousand_times_a_second_leaves_the_others_their_places
    table/test_contacts.py::test_a_burst_is_given_up_after_50_ms_with_one_notice
    table/test_contacts.py::test_nobody_waits_longer_than_50_ms_for_chatter
- closing one device silences another
    parts/test_linefactory.py::test_closing_one_button_silences_no_other
    parts/test_linefactory.py::test_a_line_that_cannot_be_read_any_more_silences_no_other
- four waiting buttons cost a core's share, or a thread each
    parts/test_linefactory.py::test_one_thread_whatever_happens
    parts/test_board.py::test_no_thread_is_made
    table/test_wakes.py::test_at_rest_it_is_woken_to_dim_to_wander_and_to_sleep_and_then_never
- threads pile up in the course of an evening
    faults/test_loop.py::test_a_long_quarrel_of_faults_leaves_no_thread_behind
    soak/test_short.py::test_no_violation

Libraries and the pins' chip
- importing lgpio leaves a FIFO behind, moves the working directory, and fails where it may not write
    parts/test_factories.py::test_lgpio_is_imported_without_a_trace
    faults/test_systemd.py::test_the_unit_says
- gpiozero takes other pins than those asked for, and only warns
    parts/test_factories.py::test_what_cannot_be_opened_is_one_line_and_no_other_is_taken_silently
    parts/test_board.py::test_gpiozeros_default_factory_is_never_asked_for
- the header is another chip on another board or kernel
    parts/test_factories.py::test_the_chip_is_found_by_its_label
    parts/test_factories.py::test_no_chip_is_one_line
- the pins are busy: a second copy
    parts/test_board.py::test_busy_pins_are_one_line_and_what_was_opened_is_let_go
    parts/test_linefactory.py::test_a_second_copy_is_refused_and_the_first_plays_on
    store/test_lock.py::test_a_second_box_is_told_who_holds_the_store
    virtual_pi/test_b_evening.py::test_a_whole_match_is_played_to_its_ranking
    faults/test_systemd.py::test_a_box_whose_pins_are_taken_is_never_ready
- a library is missing, or too new for another one
    doctor/test_checks.py::test_missing_and_too_new_packages_are_named
- importing what is not used starts threads and takes memory
    cli/test_cli.py::test_nothing_heavy_is_imported_that_is_not_used
- the board's revision is hidden
    parts/test_linefactory.py::test_the_boards_revision_may_be_hidden

Lamps and buzzer
- after a crash the kernel still drives them: lamps lit, buzzer sounding
    parts/test_board.py::test_the_first_act_is_zero_on_every_output
    parts/test_linefactory.py::test_outputs_begin_and_end_at_zero_and_are_given_back
    virtual_pi/test_b_evening.py::test_a_whole_match_is_played_to_its_ranking
- a pin that is let go floats, or is pulled up at power-on
    parts/test_board.py::test_the_last_act_is_zero_before_any_pin_is_let_go
    hardware/test_drawings.py::test_what_sounds_or_lights_is_pulled_down_at_power_on
    hardware: lamps stay dark and the buzzer silent from power-on
- a tone begins when a library's thread next looks: Stop is late
    parts/test_linefactory.py::test_stop_sets_the_line_itself_before_its_tone_begins
    parts/test_buzzer.py::test_the_pin_has_changed_when_play_returns
- a tone that is ended leaves the pin high
    parts/test_buzzer.py::test_closing_in_mid_tone_is_quiet_and_may_be_done_twice
    virtual_pi/test_b_evening.py::test_the_glass_runs_out_and_stop_is_one_long_tone_that_ends_at_0
- other threads work in Python, and the loop gets its turn late: how late, the bench measures
    bench/test_bench.py::test_a_quick_run_fills_the_whole_table
- a note is outside what the buzzer's class allows
    parts/test_buzzer.py::test_every_sound_the_table_asks_for_is_there_and_within_the_buzzers_range
    hardware: how loud Stop is in your case
- sounds asked for faster than they end
    parts/test_buzzer.py::test_any_requests_end_in_silence_without_a_thread
    parts/test_buzzer.py::test_the_newest_sound_replaces_the_old_one
    parts/test_buzzer.py::test_stop_is_heard_to_its_end_whatever_is_pressed_meanwhile
- an output cannot be written any more
    faults/test_pins.py::test_outputs_that_cannot_be_written_are_said_and_play_goes_on
    parts/test_board.py::test_a_pin_that_cannot_be_read_or_written_is_lived_with
- lamps for 5 V hang on a pin for 3.3 V
    hardware/test_drawings.py::test_every_pin_of_the_program_has_its_wire
    hardware: lamps bright enough through the driver

Display
- a loose wire in mid-game: errors of every number, at every call, of the library's own kinds too
    faults/test_display.py::test_lost_in_the_race_and_back_at_the_scores
    faults/test_display.py::test_every_errno_at_any_call_of_any_frame
    parts/test_oled.py::test_after_a_fault_at_any_transaction_the_next_picture_is_whole
    parts/test_display.py::test_the_number_behind_lumas_own_error_is_told
    virtual_pi/test_b_evening.py::test_a_whole_match_is_played_to_its_ranking
    hardware: 400 kHz over your wires
- the supply dips and the chip forgets everything; the bus notices nothing
    parts/test_display.py::test_an_unseen_glitch_heals_by_itself
    parts/test_oled.py::test_a_chip_that_lost_its_memory_unnoticed_is_healed_in_time_without_going_dark
- no display at the start: not wired, its bus or the right to it late
    faults/test_display.py::test_absent_at_the_start_and_found_in_play
    parts/test_display.py::test_a_display_missing_at_start_is_found_when_it_comes
    parts/test_display.py::test_attempts_become_rarer
- a write takes a second, or hangs
    faults/test_display.py::test_stop_sounds_though_the_card_and_a_write_of_the_display_hang
    parts/test_display.py::test_a_stalled_bus_holds_neither_show_nor_the_exit
    parts/test_display.py::test_the_newest_wins_and_stale_ones_are_never_drawn
- two threads on one bus mix their transactions
    faults/test_display.py::test_one_thread_alone_speaks_to_the_bus_from_the_first_picture_to_the_last
- each picture is sent whole, and a slow bus shows an old one
    parts/test_oled.py::test_a_running_glass_takes_few_bytes
    parts/test_oled.py::test_the_memory_is_always_the_picture
- one chip taken for another: two pixels off, a stray column
    parts/test_chip.py::test_an_sh1106_driven_as_ssd1306_shows_something_else
    parts/test_chip.py::test_an_ssd1306_driven_as_sh1106_is_two_pixels_off
    doctor/test_parts.py::test_the_picture_has_one_pixel_at_the_very_edge
    hardware: the picture sits right on your display
- pictures burn in
    table/test_wakes.py::test_dimming_and_wandering
    table/test_wakes.py::test_the_waking_press_does_nothing_else
    screen/test_draw.py::test_static_scenes_do_wander
- a module for SPI
    parts/test_spi.py::test_a_display_on_spi
    parts/test_spi.py::test_a_bus_that_is_missing_lets_the_pins_go
- a picture that cannot be drawn
    parts/test_display.py::test_a_picture_that_cannot_be_drawn_costs_only_itself

Store and card
- the power goes, also within a commit
    store/test_power.py::test_nothing_acknowledged_is_lost_by_a_kill
    store/test_power.py::test_a_commit_reaches_the_card_before_it_is_acknowledged
    rehearsal/test_cuts.py::test_a_cut_in_every_scene
    virtual_pi/test_c_updates.py::test_a_cut_while_the_card_is_busy_with_a_race_and_again_at_the_start
    hardware: the plug pulled in mid-race
- the store is torn, or was written by something else
    faults/test_card.py::test_a_store_set_aside_is_said_and_not_called_well_again
    faults/test_card.py::test_a_store_torn_in_play_is_set_aside_and_the_match_goes_on_in_a_fresh_one
    faults/test_strange_store.py::test_the_box_starts_and_a_match_can_be_played
    faults/test_strange_store.py::test_the_commands_say_it_in_one_line
    faults/test_strange_store.py::test_every_form_of_the_history_is_a_table_or_one_line
    store/test_damage.py::test_flipped_bits_anywhere_never_stop_the_start
- the card is full, read-only or failing
    faults/test_card.py::test_a_failing_card_is_said_once_and_heals
    faults/test_card.py::test_a_full_card_costs_nothing
    faults/test_card.py::test_a_read_only_card_gives_its_match_back_and_takes_it_again_when_it_can
- the card stalls
    faults/test_card.py::test_what_is_settled_is_shown_once_it_is_on_disk_and_presses_wait_in_their_order
    faults/test_card.py::test_a_card_that_never_answers_is_waited_for_once
    faults/test_card.py::test_playing_alone_ends_on_time_though_the_card_stalls
    faults/test_card.py::test_the_end_is_in_time_though_card_and_bus_hang

System
- the wall clock jumps by years, there being none before the network
    faults/test_loop.py::test_a_wall_clock_that_jumps_by_years_changes_nothing_in_mid_glass
    rehearsal/test_evenings.py::test_three_years_on_the_wall_clock_change_nothing
    virtual_pi/test_b_evening.py::test_a_jump_of_the_clock_changes_nothing_in_the_glass
- a signal ends the process with none of its clean-up
    faults/test_signals.py::test_a_signal_ends_it_clean
    faults/test_signals.py::test_a_signal_ends_it_though_card_and_bus_hang
- a signal comes just before the loop goes to wait, and is heard at the next press
    faults/test_signals.py::test_a_signal_is_heard_that_comes_just_before_the_loop_goes_to_wait
- the unit gives up after a bad minute, waits for a bus that never comes, or hides the pins from the box
    faults/test_systemd.py::test_the_unit_says
    faults/test_systemd.py::test_the_unit_grants_the_end_more_time_than_a_card_and_a_bus_that_hang_may_take
    virtual_pi/test_a_from_nothing.py::test_units_are_sound_and_the_service_is_shut_in
- called ready before its buttons answer; alive while its loop is stuck
    faults/test_systemd.py::test_it_is_ready_once_its_buttons_answer_and_says_when_it_ends
    faults/test_systemd.py::test_a_loop_that_does_no_work_gives_no_sign_of_life
    faults/test_systemd.py::test_a_manager_that_has_gone_costs_nothing
    virtual_pi/test_b_evening.py::test_a_whole_match_is_played_to_its_ranking
- who may gain no privileges cannot switch off with sudo
    faults/test_loop.py::test_a_power_off_that_is_refused_is_said_and_play_goes_on
    virtual_pi/test_c_updates.py::test_the_menu_switches_the_machine_off_and_the_box_may_do_nothing_else_to_it
- power cut soon after an install: half of the files are empty
    virtual_pi/test_c_updates.py::test_an_update_keeps_match_config_and_store_and_stands_a_cut_one_second_later
    virtual_pi/test_c_updates.py::test_a_broken_release_is_rolled_back_and_the_box_plays_on
- the bus is off, slow, or set in the wrong config.txt; pip refuses; no user pi
    virtual_pi/test_a_from_nothing.py::test_the_bus_is_set_once_with_a_copy_of_the_file_beside_it
    virtual_pi/test_a_from_nothing.py::test_one_command_makes_a_box_of_it
    virtual_pi/test_a_from_nothing.py::test_the_doctor_names_the_fault
    doctor/test_checks.py::test_each_fault_is_named_with_what_mends_it
- a shutdown button takes the display's clock line
    parts/test_board.py::test_pins_that_cannot_be
    doctor/test_checks.py::test_each_fault_is_named_with_what_mends_it
- no handle is left
    faults/test_loop.py::test_without_a_handle_left_play_goes_on_and_nothing_is_missing
- the supply sags
    doctor/test_checks.py::test_each_fault_is_named_with_what_mends_it
    hardware: no `supply` fault

Ourselves
- a defect of ours in the middle of an evening
    faults/test_loop.py::test_after_a_defect_the_match_goes_on_where_it_stood
    faults/test_loop.py::test_the_third_defect_within_a_minute_gives_the_match_up
    faults/test_loop.py::test_a_match_that_breaks_its_own_resume_is_offered_once_and_kept_as_unfinished
    faults/test_loop.py::test_a_defect_while_the_next_appointment_is_asked_for
    faults/test_loop.py::test_presses_and_news_that_came_with_a_defect_are_not_lost
    faults/test_loop.py::test_a_stop_asked_for_in_the_middle_of_a_defect_stops
    faults/test_loop.py::test_a_listener_that_raises_costs_nothing
- the journal is gone with the power: nobody knows what happened
    store/test_store.py::test_the_last_error_survives_for_the_doctor
    doctor/test_checks.py::test_a_match_that_waits_and_the_last_error_are_told
- nobody can tell what was pressed
    faults/test_signals.py::test_sigusr1_writes_the_last_hour_and_says_where
    faults/test_recorder.py::test_a_script_written_on_request_plays_the_evening_again
    faults/test_recorder.py::test_a_script_knows_the_match_it_began_with
    faults/test_recorder.py::test_after_an_error_the_script_meets_it_again
    faults/test_recorder.py::test_chance_is_given_in_order_and_then_by_the_other_one
- what is kept of it fills memory or card, or cannot be written or read
    faults/test_recorder.py::test_what_is_kept_is_bounded_and_says_so
    faults/test_recorder.py::test_after_an_hour_it_begins_at_a_moment_of_rest
    faults/test_recorder.py::test_five_scripts_are_kept_and_the_new_one_always
    faults/test_recorder.py::test_what_cannot_be_written_is_an_os_error_and_leaves_nothing
    faults/test_recorder.py::test_a_header_that_is_none_of_ours_is_one_line
- one trouble hides another, or stays on the screen for ever
    faults/test_troubles.py::test_the_newest_is_shown_and_an_older_one_again_when_it_heals
    faults/test_troubles.py::test_what_only_happened_goes_after_a_minute
    faults/test_troubles.py::test_a_loss_is_still_to_be_read_for_a_while_after_all_is_well

At the table
- the sand runs out and nobody notices
    parts/test_buzzer.py::test_stop_is_one_long_buzz_longer_than_any_single_note
- the beep, the picture or a box held up eats playing time
    table/test_late_news.py::test_a_box_that_was_held_up_turns_a_full_glass
    table/test_rest.py::test_however_often_the_menu_is_opened_the_glass_has_its_sixty_seconds
    table/test_glass.py::test_the_shown_time_rounds_up_and_never_rises
- a head start: pressed before the symbol was seen
    table/test_late_news.py::test_nobody_claims_before_the_symbol_was_seen
- the wrong press cannot be taken back, or taking it back fishes for a better gem
    game/test_undo.py::test_each_undo_takes_back_one_decision_and_all_of_them_the_start
    game/test_undo.py::test_the_same_gem_comes_again_in_whatever_order_the_players_then_stand
- the glass is too short for a child
    table/test_handicap.py::test_a_claim_counts_up_to_the_own_end
- brown and yellow gems are mixed up, and some cannot see colours
    screen/test_draw.py::test_gems_differ_in_outline_and_letter
- the evening's tune comes to a box that sleeps
    faults/test_signals.py::test_sigusr2_wakes_it_for_game_night
    virtual_pi/test_c_updates.py::test_the_hour_of_game_night_wakes_the_box_and_sounds
"""
