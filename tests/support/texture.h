/* Smooth random textures, which tests sample anywhere. */
#ifndef TESTS_SUPPORT_TEXTURE_H
#define TESTS_SUPPORT_TEXTURE_H

#include "stereo/stereo.h"

/* Grey pictures to draw them on. */
sv_image grey_picture(int width, int height);
void free_grey_pair(const sv_pair *pair);

/* Noise from 0 to 1 at whole numbers. */
double texture_noise(int x, int y);

/* Noise from 0 to 1 in patches of 5 pixels, smooth between them. */
double texture_at(double x, double y);

/* Grey levels from 0 to 255 in patches of 8 pixels, smooth between them; another texture for each scene. x, y: from
 * -8000 on. */
int texture_grey(int x, int y, int scene);

#endif
