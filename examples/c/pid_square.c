/* The PID controller of the thesis: to the corners of a square of 10 m.
 *
 *   cc pid_square.c -I include -L lib -lrobotOne -lm -o pid_square
 *   ./pid_square [HOST]
 *
 * It uses the functions of the released library and runs with that one as well. */
#include <math.h>
#include <stdio.h>

#include "robotOne.h"

static const float pi = 3.14159265f;

/* The same angle within -pi to pi. */
static float fix_angle(float angle) {
    while (angle > pi) angle -= 2 * pi;
    while (angle < -pi) angle += 2 * pi;
    return angle;
}

int main(int count, char **arguments) {
    if (!connectRobotOne(count > 1 ? arguments[1] : "127.0.0.1")) {
        fprintf(stderr, "no simulator: start one with `rolima run maze`\n");
        return 1;
    }
    setTrace(true);

    const float Vmax = 1.0f, error = 0.05f;
    const float Krho = 1.0f, Kp = 1.0f, Ki = 0.01f, Kd = 0.01f;
    float sum_alpha = 0, alpha_1 = 0, time = 0;
    const float goals[4][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    Value3 pose = {{0, 0, 0}};
    setPose(&pose);

    for (int i = 0; i < 4; i++) {
        for (;;) {
            getPose(&pose);
            float dx = goals[i][0] - pose.values[0];
            float dy = goals[i][1] - pose.values[1];
            float rho = sqrtf(dx * dx + dy * dy);
            if (rho <= error) break;
            float alpha = fix_angle(atan2f(dy, dx) - pose.values[2]);
            float v = i < 3 ? Vmax : fminf(Krho * rho, Vmax);
            float w = Kp * alpha + Ki * sum_alpha + Kd * (alpha - alpha_1);
            alpha_1 = alpha;
            sum_alpha += alpha;
            Value2 velocity = {{v, w}};
            setVelocity(&velocity);
            time += waitRobotOne();
        }
        printf("goal %d reached after %.1f s\n", i, time);
    }
    /* The trace stays on the page, to be looked at. */
    disconnectRobotOne();
    return 0;
}
