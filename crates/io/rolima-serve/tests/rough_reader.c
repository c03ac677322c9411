/* Reads one moment of a state block: places in space and wheels, as plain numbers. */
#include "rolima_state.h"
#include <stdio.h>

int main(int argc, char **argv) {
    rolima_state state;
    if (argc != 2 || rolima_open(&state, argv[1]) != ROLIMA_OK) return 1;
    if (rolima_read(&state) != ROLIMA_OK || !rolima_check(&state)) return 2;
    for (size_t i = 0; i < rolima_pose_count(&state); i++) {
        rolima_pose pose = rolima_get_pose(&state, i);
        printf("%.17g %.17g %.17g %.17g %.17g\n", pose.z, pose.qw, pose.qx, pose.qy, pose.qz);
    }
    for (size_t i = 0; i < rolima_wheel_count(&state); i++) {
        rolima_wheel wheel = rolima_get_wheel(&state, i);
        printf("%.17g %.17g %.17g %.17g %.17g\n", wheel.angle, wheel.spin, wheel.raised, wheel.load,
               wheel.steer);
    }
    rolima_close(&state);
    return 0;
}
