/* Draws the point cloud. There is no vertex data: the vertex shader reads the disparity of pixel gl_VertexID, so a map
 * that a GPU computed never leaves it. The cloud is drawn into a framebuffer of its own, which has the depth buffer
 * that the window's lacks, and keeps the result until something changes.
 *
 * OpenGL in software takes a second for millions of points. So a change is first drawn with fewer, larger points, as
 * many as the processor draws in a short time; on a GPU these are all. Otherwise the whole cloud follows in a second
 * framebuffer, over as many calls as it takes, and is shown when it is complete. */
#include "render/view/cloud.h"

#include <stdlib.h>
#include <string.h>

#include "render/window/gl.h"
#include "stereo/alloc.h"

extern const char shader_cloud_vert[], shader_cloud_frag[], shader_grid_vert[];

/* Where both cameras see a surface, its disparity changes by less than a pixel from one pixel to the next. */
static const float steepest = 1;
static const float largest_point = 64; /* pixels; larger ones, very near, would only hide what is behind them */

static const double budget = 0.016;     /* seconds for the points of one call */
static const double first_guess = 1e-6; /* seconds for a point */

typedef struct target {
    GLuint framebuffer, colour, numbers, depth; /* renderbuffers of the cloud's width x height */
} target;

struct cloud {
    target targets[2];    /* for all or a part of the points; for all, in parts */
    int shown;            /* target with the newest picture */
    int finished;         /* points that are in targets[1] */
    bool complete;        /* the target that is shown has all */
    int drawn_points;     /* that it has */
    double cost;          /* of a point, seconds of the processor */
    bool warm;            /* something was drawn, so that the programs are compiled */
    GLuint vertices;      /* an empty vertex array, which OpenGL requires */
    GLuint points, lines; /* programs */
    float largest;        /* point that this OpenGL draws, pixels */
    cloud_scene drawn;    /* what is shown, */
    int width, height;    /* at this size; 0 x 0: nothing yet */
};

cloud_settings cloud_default(void) { return (cloud_settings){.colours = CLOUD_PICTURE, .size = 1, .grid = true}; }

const char *cloud_colours_name(int colours) {
    static const char *const names[CLOUD_COLOURS_COUNT] = {"picture", "depth"};
    return colours >= 0 && colours < CLOUD_COLOURS_COUNT ? names[colours] : "?";
}

sv_status cloud_create(cloud **out, sv_error *error) {
    *out = NULL;
    cloud *c = sv_alloc(1, sizeof *c);
    GLfloat sizes[2];
    glGetFloatv(GL_POINT_SIZE_RANGE, sizes);
    c->largest = fminf(sizes[1], largest_point);
    glGenVertexArrays(1, &c->vertices);
    for (int i = 0; i < 2; i++) {
        glGenRenderbuffers(1, &c->targets[i].colour);
        glGenRenderbuffers(1, &c->targets[i].numbers);
        glGenRenderbuffers(1, &c->targets[i].depth);
        glGenFramebuffers(1, &c->targets[i].framebuffer);
    }
    c->cost = first_guess;
    sv_status status = gl_program(&c->points, "cloud", "", shader_cloud_vert, shader_cloud_frag, error);
    if (status == SV_OK) status = gl_program(&c->lines, "grid", "", shader_grid_vert, shader_cloud_frag, error);
    if (status == SV_OK) {
        static const char *const samplers[] = {"disparity", "picture", "places", "colours"};
        glUseProgram(c->points);
        for (int i = 0; i < 4; i++) glUniform1i(glGetUniformLocation(c->points, samplers[i]), i);
        glUseProgram(0);
        status = gl_check("making the point cloud", error);
    }
    if (status != SV_OK) {
        cloud_destroy(c);
        return status;
    }
    *out = c;
    return SV_OK;
}

void cloud_destroy(cloud *c) {
    if (!c) return;
    glDeleteProgram(c->points);
    glDeleteProgram(c->lines);
    for (int i = 0; i < 2; i++) {
        glDeleteFramebuffers(1, &c->targets[i].framebuffer);
        glDeleteRenderbuffers(3, (const GLuint[]){c->targets[i].colour, c->targets[i].numbers, c->targets[i].depth});
    }
    glDeleteVertexArrays(1, &c->vertices);
    free(c);
}

static sv_status resize_target(const target *t, int width, int height, sv_error *error) {
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, t->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    gl_label(GL_RENDERBUFFER, t->colour, "cloud");
    glBindRenderbuffer(GL_RENDERBUFFER, t->numbers);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_R32UI, width, height);
    gl_label(GL_RENDERBUFFER, t->numbers, "pixels of the cloud");
    glBindRenderbuffer(GL_RENDERBUFFER, t->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, width, height);
    gl_label(GL_RENDERBUFFER, t->depth, "depth of the cloud");
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, t->colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, t->numbers);
    glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t->depth);
    gl_label(GL_FRAMEBUFFER, t->framebuffer, "cloud");
    const sv_status status = gl_check("making the framebuffer of the point cloud", error);
    return status == SV_OK ? gl_check_framebuffer("cloud", error) : status;
}

static sv_status resize(cloud *c, int width, int height, sv_error *error) {
    c->width = c->height = 0;
    for (int i = 0; i < 2; i++) {
        const sv_status status = resize_target(&c->targets[i], width, height, error);
        if (status != SV_OK) return status;
    }
    c->width = width;
    c->height = height;
    return SV_OK;
}

/* Points of a map from which every stride-th pixel is drawn, in x and in y. */
static int count_points(const space *s, int stride) {
    return ((s->width + stride - 1) / stride) * ((s->height + stride - 1) / stride);
}

/* Draws `count` points of those that count_points counts, from number `first`. */
static void draw_points(cloud *c, const cloud_scene *scene, const float matrix[16], int stride, int first, int count) {
    const GLuint p = c->points, units[] = {scene->textures.disparity, scene->textures.picture, scene->textures.places,
                                           scene->textures.colours};
    const colour_settings *colour = &scene->colour;
    const float width = colour->max > colour->min ? colour->max - colour->min : 0;
    const view_pane pane = orbit_pane(&scene->space, c->width, c->height);
    glUseProgram(p);
    glUniformMatrix4fv(glGetUniformLocation(p, "project"), 1, GL_FALSE, matrix);
    glUniform4f(glGetUniformLocation(p, "lens"), (float)scene->space.fx, (float)scene->space.fy, (float)scene->space.cx,
                (float)scene->space.cy);
    glUniform1f(glGetUniformLocation(p, "unit_depth"), (float)scene->space.unit_depth);
    glUniform1f(glGetUniformLocation(p, "doffs"), (float)scene->space.doffs);
    glUniform1f(glGetUniformLocation(p, "size"),
                (float)(fmax(pane.scale_x, pane.scale_y) * stride) * scene->settings.size);
    glUniform1i(glGetUniformLocation(p, "stride"), stride);
    glUniform1f(glGetUniformLocation(p, "largest"), c->largest);
    glUniform1f(glGetUniformLocation(p, "steepest"), scene->settings.edges ? 0 : steepest);
    glUniform1i(glGetUniformLocation(p, "rectified"), scene->textures.places != 0);
    glUniform1i(glGetUniformLocation(p, "by_depth"), scene->settings.colours == CLOUD_DEPTH);
    glUniform1i(glGetUniformLocation(p, "map"), colour->map);
    glUniform1f(glGetUniformLocation(p, "minimum"), colour->min);
    glUniform1f(glGetUniformLocation(p, "width"), width);
    glUniform1f(glGetUniformLocation(p, "scale"), width > 0 ? (COLOUR_ENTRIES - 1) / width : 0);
    for (int i = 0; i < 4; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_2D,
                      units[i] ? units[i] : units[0]); /* some drivers warn of a unit without a texture */
    }
    glActiveTexture(GL_TEXTURE0);
    glEnable(GL_PROGRAM_POINT_SIZE);
    const double start = sv_seconds();
    glDrawArrays(GL_POINTS, first, count);
    glFlush(); /* OpenGL in software processes points now */
    const double cost = (sv_seconds() - start) / count;
    glDisable(GL_PROGRAM_POINT_SIZE);
    /* A single delay does not mean that points have become expensive. */
    if (c->warm) c->cost = cost < c->cost ? cost : c->cost + 0.1 * (cost - c->cost);
    c->warm = true;
}

static void draw_grid(const cloud *c, const cloud_scene *scene, const float matrix[16]) {
    const GLuint p = c->lines;
    const space *s = &scene->space;
    const space_grid g = scene->grid;
    enum { AXES = 3, EDGES_OF_CAMERA = 8 };
    glUseProgram(p);
    glUniformMatrix4fv(glGetUniformLocation(p, "project"), 1, GL_FALSE, matrix);
    glUniform1f(glGetUniformLocation(p, "spacing"), (float)g.step);
    glUniform1f(glGetUniformLocation(p, "level"), (float)g.floor);
    glUniform1i(glGetUniformLocation(p, "across"), g.across);
    glUniform1i(glGetUniformLocation(p, "ahead"), g.ahead);
    glUniform4f(glGetUniformLocation(p, "corners"), (float)((-0.5 - s->cx) / s->fx), (float)((-0.5 - s->cy) / s->fy),
                (float)((s->width - 0.5 - s->cx) / s->fx), (float)((s->height - 0.5 - s->cy) / s->fy));
    glDrawArrays(GL_LINES, 0, 2 * (2 * g.across + 1 + g.ahead + 1 + AXES + EDGES_OF_CAMERA));
}

/* Draws into a target: points as draw_points does, onto a cleared target if they are the first. */
static void draw(cloud *c, const target *t, const cloud_scene *scene, int stride, int first, int count) {
    float matrix[16];
    orbit_matrix(&scene->orbit, &scene->space, c->width, c->height, matrix);
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glViewport(0, 0, c->width, c->height);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DITHER);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL); /* points at infinity are as far as the cleared depth */
    glDepthMask(GL_TRUE);
    glBindVertexArray(c->vertices);
    if (!first) {
        glClearBufferfv(GL_COLOR, 0, (const GLfloat[]){0.035f, 0.04f, 0.05f, 1});
        glClearBufferuiv(GL_COLOR, 1, (const GLuint[]){0, 0, 0, 0});
        glClearBufferfv(GL_DEPTH, 0, (const GLfloat[]){1});
        if (scene->settings.grid) draw_grid(c, scene, matrix);
    }
    draw_points(c, scene, matrix, stride, first, count);
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_DEPTH_TEST);
}

/* Draws a new scene with as many points as the budget allows. */
static void draw_new(cloud *c, const cloud_scene *scene) {
    int stride = 1;
    while (count_points(&scene->space, stride) > fmax(1, budget / c->cost)) stride++;
    memcpy(&c->drawn, scene, sizeof *scene); /* with its padding */
    c->drawn_points = count_points(&scene->space, stride);
    draw(c, &c->targets[0], scene, stride, 0, c->drawn_points);
    c->shown = c->finished = 0;
    c->complete = stride == 1;
}

/* Draws the next part of all points. */
static void draw_more(cloud *c, const cloud_scene *scene) {
    const int all = count_points(&scene->space, 1), rest = all - c->finished;
    const int count = (int)fmax(1, fmin(rest, budget / c->cost));
    draw(c, &c->targets[1], scene, 1, c->finished, count);
    c->finished += count;
    c->complete = c->finished == all;
    c->shown = c->complete;
    if (c->complete) c->drawn_points = all;
}

sv_status cloud_draw(cloud *c, const cloud_scene *scene, const int rectangle[4], sv_error *error) {
    const int x = rectangle[0], y = rectangle[1], width = rectangle[2], height = rectangle[3];
    if (width < 1 || height < 1) return SV_OK;
    GLint bound;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    sv_status status = SV_OK;
    const bool resized = width != c->width || height != c->height;
    if (resized) status = resize(c, width, height, error);
    if (status == SV_OK) {
        if (resized || memcmp(scene, &c->drawn, sizeof *scene) != 0)
            draw_new(c, scene);
        else if (!c->complete)
            draw_more(c, scene);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, c->targets[c->shown].framebuffer);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)bound);
        glDisable(GL_SCISSOR_TEST);
        glBlitFramebuffer(0, 0, width, height, x, y, x + width, y + height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
    return status;
}

bool cloud_read_pixel(const cloud *c, int x, int y) {
    if (x < 0 || y < 0 || x >= c->width || y >= c->height) return false;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, c->targets[c->shown].framebuffer);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, y, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    return true;
}

int cloud_points(const cloud *c) { return c->drawn_points; }

bool cloud_complete(const cloud *c) { return c->complete; }
