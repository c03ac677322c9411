/* A stand-in for the released client library, with its habits on the wire: one recv a reply, whatever
 * was in memory in the value of a get, three round trips for a pose, and no protection from SIGPIPE.
 *
 * released PORT [bad]: drives and asks for poses until it dies; with `bad`, sends a name of negative length
 * after the first pose, upon which the server closes. */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int link_;
static char reply[1 << 20];

static void request(uint8_t operation, const char *name, float value)
{
    char packet[64];
    int32_t length = (int32_t)strlen(name);
    packet[0] = (char)operation;
    memcpy(packet + 1, &length, 4);
    memcpy(packet + 5, name, (size_t)length);
    memcpy(packet + 5 + length, &value, 4);
    /* As the release does: the result is not looked at, and no MSG_NOSIGNAL. */
    if (send(link_, packet, (size_t)(9 + length), 0) < 0)
        return;
    do {
        if (recv(link_, reply, sizeof reply, 0) <= 0)
            return;
    } while (reply[0] == 0 || reply[0] == 1);
}

static float get(const char *name)
{
    float value;
    request(0, name, 1.7e-38f);
    memcpy(&value, reply + 2, 4);
    return value;
}

int main(int count, char **arguments)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (count < 2)
        return 2;
    address.sin_port = htons((uint16_t)atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    link_ = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(link_, (struct sockaddr *)&address, sizeof address) != 0)
        return 3;
    request(1, "Velocity.Linear", 0.5f);
    printf("%g %g %g\n", get("Pose.X"), get("Pose.Y"), get("Pose.Theta"));
    fflush(stdout);
    if (count > 2 && send(link_, "\0\377\377\377\377", 5, 0) < 0)
        return 4;
    for (;;) {
        get("Pose.X");
        get("Pose.Y");
        get("Pose.Theta");
        request(1, "Velocity.Linear", 0.5f);
    }
}
