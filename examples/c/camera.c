/* Frames of an overhead camera: how many came, and where the orange ball is.
 *
 *   cc camera.c -I crates/bindings/rolima-client/include -L target/release -lrolima_client -o camera
 *   camera [HOST:PORT] [FRAMES]
 */
#include "rolima.h"
#include <stdio.h>
#include <stdlib.h>

/* The middle of what is orange; 0 if nothing is. */
static int ball(const RolimaCameraFrame *frame, double *x, double *y)
{
    unsigned long count = 0;
    *x = *y = 0;
    for (uint32_t row = 0; row < frame->height; row++)
        for (uint32_t column = 0; column < frame->width; column++) {
            const uint8_t *p = frame->rgb + 3 * ((size_t)row * frame->width + column);
            if (p[0] > 150 && p[0] > 2 * p[2] && p[1] > p[2] && p[1] < 0.75 * p[0]) {
                *x += column;
                *y += row;
                count++;
            }
        }
    if (count > 0) {
        *x /= count;
        *y /= count;
    }
    return count > 0;
}

int main(int argc, char **argv)
{
    const char *address = argc > 1 ? argv[1] : "127.0.0.1:8650";
    long most = argc > 2 ? atol(argv[2]) : 100;
    RolimaCamera *camera = rolima_camera_open(address, NULL, ROLIMA_TRANSPORT_TCP, 0, 5.0);
    if (camera == NULL) {
        fprintf(stderr, "%s\n", rolima_camera_error());
        return 1;
    }
    RolimaCameraFrame frame;
    RolimaCameraEvent event = ROLIMA_CAMERA_EVENT_NOTHING;
    for (long taken = 0; taken < most; taken++) {
        event = rolima_camera_next(camera, 10.0, &frame);
        if (event != ROLIMA_CAMERA_EVENT_FRAME)
            break;
        double x, y;
        if (ball(&frame, &x, &y))
            printf("%llu at %.3f s: ball at %.1f %.1f\n", (unsigned long long)frame.number, frame.time_s, x, y);
        else
            printf("%llu at %.3f s: no ball\n", (unsigned long long)frame.number, frame.time_s);
    }
    if (event == ROLIMA_CAMERA_EVENT_FAILED)
        fprintf(stderr, "%s\n", rolima_camera_error());
    rolima_camera_close(camera);
    return event == ROLIMA_CAMERA_EVENT_FRAME || event == ROLIMA_CAMERA_EVENT_END ? 0 : 1;
}
