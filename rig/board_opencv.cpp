// Finds calibration boards and solves for the cameras with OpenCV 4: calib3d, imgproc, and aruco for the markers.
//
// A view that contradicts the others would spoil the result, so the cameras are solved for in steps, each of which
// drops the views that do not fit: each camera alone; the pose of one camera relative to the other, on which the views
// vote; both cameras together.
#include "rig/board.h"
#include "rig/lens.h"

#include <opencv2/aruco.hpp>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <vector>

typedef std::vector<cv::Point2f> points2;
typedef std::vector<cv::Point3f> points3;

namespace {

// Keeps OpenCV from printing its errors, which also arrive as exceptions.
int hush(int, const char *, const char *, const char *, int, void *) { return 0; }

sv_status failed(const char *what, const std::exception &e, sv_error *error) {
    const cv::Exception *of_opencv = dynamic_cast<const cv::Exception *>(&e);
    return sv_fail(error, SV_FAILED, "%s: OpenCV reports: %s", what, of_opencv ? of_opencv->err.c_str() : e.what());
}

// ---- Finding ----

void add(board_sight *sight, int point, const cv::Point2f &at) {
    const int i = sight->count++;
    sight->points[i] = point;
    sight->at[i][0] = at.x;
    sight->at[i][1] = at.y;
}

const cv::TermCriteria exact(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 40, 1e-4);

// The window of the sub-pixel search must not reach a neighbouring corner.
int window_of(float nearest) { return std::max(2, std::min(11, (int)(nearest / 2))); }

// False if the picture is unlikely to show a chessboard. OpenCV's check overlooks squares of less than about ten
// pixels, as those of a distant board in a small picture are.
bool may_show_chess(const board *b, const cv::Mat &grey) {
    const cv::Size size(b->columns, b->rows);
    const int small = 800; // pixels across
    if (cv::checkChessboard(grey, size)) return true;
    if (grey.cols > small) return false;
    cv::Mat enlarged;
    cv::resize(grey, enlarged, cv::Size(), 2, 2);
    return cv::checkChessboard(enlarged, size);
}

void find_chess(const board *b, const cv::Mat &grey, bool quick, board_sight *sight) {
    points2 corners;
    const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE;
    if (quick && !may_show_chess(b, grey)) return;
    if (!cv::findChessboardCorners(grey, cv::Size(b->columns, b->rows), corners, flags)) return;
    float nearest = 1e6f;
    for (int i = 0; i < (int)corners.size(); i++) {
        if (i % b->columns) nearest = std::min(nearest, (float)cv::norm(corners[(size_t)i] - corners[(size_t)i - 1]));
        if (i >= b->columns)
            nearest = std::min(nearest, (float)cv::norm(corners[(size_t)i] - corners[(size_t)(i - b->columns)]));
    }
    const int w = window_of(nearest);
    cv::cornerSubPix(grey, corners, cv::Size(w, w), cv::Size(-1, -1), exact);
    for (int i = 0; i < (int)corners.size(); i++) add(sight, i, corners[(size_t)i]);
}

cv::Ptr<cv::aruco::Dictionary> dictionary_of(const board *b) {
    const int markers = board_markers(b);
    const int name = b->kind == BOARD_APRILGRID ? cv::aruco::DICT_APRILTAG_36h11
                     : markers <= 50            ? cv::aruco::DICT_4X4_50
                     : markers <= 100           ? cv::aruco::DICT_4X4_100
                     : markers <= 250           ? cv::aruco::DICT_4X4_250
                                                : cv::aruco::DICT_4X4_1000;
#if CV_VERSION_MAJOR == 4 && CV_VERSION_MINOR < 7
    return cv::aruco::getPredefinedDictionary(name);
#else
    return cv::makePtr<cv::aruco::Dictionary>(cv::aruco::getPredefinedDictionary(name));
#endif
}

int border_of(const board *b) { return b->kind == BOARD_APRILGRID ? 2 : 1; } // cells, as Kalibr prints them

struct marker_sight {
    int number;
    points2 corners; // clockwise from the upper left one
};

std::vector<marker_sight> find_markers(const board *b, const cv::Mat &grey) {
    std::vector<points2> corners;
    std::vector<int> numbers;
    cv::Ptr<cv::aruco::DetectorParameters> how = cv::makePtr<cv::aruco::DetectorParameters>();
    how->markerBorderBits = border_of(b);
    cv::aruco::detectMarkers(grey, dictionary_of(b), corners, numbers, how);
    std::vector<marker_sight> found;
    for (size_t i = 0; i < numbers.size(); i++) {
        if (numbers[i] >= board_markers(b)) continue;
        // OpenCV's AprilTags are upside down.
        if (b->kind == BOARD_APRILGRID) std::rotate(corners[i].begin(), corners[i].begin() + 2, corners[i].end());
        found.push_back({numbers[i], corners[i]});
    }
    std::sort(found.begin(), found.end(),
              [](const marker_sight &x, const marker_sight &y) { return x.number < y.number; });
    // If a marker is seen twice, at least one of the two is wrong; neither counts.
    std::vector<marker_sight> once;
    for (size_t i = 0; i < found.size(); i++)
        if ((!i || found[i - 1].number != found[i].number) &&
            (i + 1 == found.size() || found[i + 1].number != found[i].number))
            once.push_back(found[i]);
    return once;
}

// The corners of the tags themselves: the black squares between tags make each look like a corner of a chessboard.
void find_aprilgrid(const board *b, const cv::Mat &grey, board_sight *sight) {
    for (const marker_sight &m : find_markers(b, grey)) {
        points2 corners = m.corners;
        const float side = (float)cv::norm(corners[1] - corners[0]);
        const int w = window_of(side * (float)std::min(b->marker / b->square, 1.0));
        cv::cornerSubPix(grey, corners, cv::Size(w, w), cv::Size(-1, -1), exact);
        for (int k = 0; k < 4; k++)
            if (cv::norm(corners[(size_t)k] - m.corners[(size_t)k]) <= w)
                add(sight, 4 * m.number + k, corners[(size_t)k]);
    }
}

// Each inner corner lies between two markers, whose homographies predict where; it is refined there.
void find_charuco(const board *b, const cv::Mat &grey, board_sight *sight) {
    const int points = board_points(b);
    std::vector<cv::Point2f> sums((size_t)points, cv::Point2f(0, 0));
    std::vector<int> votes((size_t)points, 0);
    std::vector<float> sides((size_t)points, 1e6f);
    for (const marker_sight &m : find_markers(b, grey)) {
        double at[2], side, p[2];
        board_marker(b, m.number, at, &side);
        const float x = (float)at[0], y = (float)at[1], s = (float)side;
        const points2 flat = {{x, y}, {x + s, y}, {x + s, y + s}, {x, y + s}};
        const cv::Mat h = cv::getPerspectiveTransform(flat, m.corners);
        for (int k = 0; k < points; k++) {
            board_point(b, k, p);
            const double reach = 0.51 * b->square;
            if (fabs(p[0] - at[0] - side / 2) > reach || fabs(p[1] - at[1] - side / 2) > reach) continue;
            points2 from = {{(float)p[0], (float)p[1]}}, to;
            cv::perspectiveTransform(from, to, h);
            sums[(size_t)k] += to[0];
            votes[(size_t)k]++;
            for (size_t c = 0; c < 4; c++)
                sides[(size_t)k] = std::min(sides[(size_t)k], (float)cv::norm(m.corners[c] - m.corners[(c + 1) % 4]));
        }
    }
    for (int k = 0; k < points; k++) {
        if (votes[(size_t)k] < 2) continue;
        const cv::Point2f guess = sums[(size_t)k] / (float)votes[(size_t)k];
        if (guess.x < 0 || guess.y < 0 || guess.x >= (float)grey.cols || guess.y >= (float)grey.rows) continue;
        points2 corner = {guess};
        // The gap between the corner and a marker, but at most the window for a chessboard.
        const float gap = sides[(size_t)k] * (float)((b->square - b->marker) / 2 / b->marker);
        const int w = std::max(2, std::min(window_of(2 * sides[(size_t)k]), (int)gap));
        cv::cornerSubPix(grey, corner, cv::Size(w, w), cv::Size(-1, -1), exact);
        if (cv::norm(corner[0] - guess) <= std::max(2, w)) add(sight, k, corner[0]);
    }
}

// ---- Solving ----

// The views that count, as OpenCV takes them.
struct problem {
    std::vector<points3> flat;
    std::vector<points2> seen[2];
    std::vector<int> which; // their indices
};

problem problem_of(const board *b, const board_view *views, int count, int group, int groups) {
    problem p;
    int used = 0;
    for (int i = 0; i < count; i++) {
        const board_view &v = views[i];
        if (v.dropped || (groups && used++ % groups == group)) continue;
        points3 flat;
        points2 seen[2];
        for (int k = 0; k < v.sides[0].count; k++) {
            double at[2];
            board_point(b, v.sides[0].points[k], at);
            flat.push_back(cv::Point3f((float)at[0], (float)at[1], 0));
            for (int side = 0; side < 2; side++)
                seen[side].push_back(cv::Point2f(v.sides[side].at[k][0], v.sides[side].at[k][1]));
        }
        p.flat.push_back(flat);
        for (int side = 0; side < 2; side++) p.seen[side].push_back(seen[side]);
        p.which.push_back(i);
    }
    return p;
}

struct given_up {};

struct lenses {
    board_lens model;
    bool (*stop)(void *of);
    void *of;
    cv::Size size;
    cv::Mat matrix[2], distortion[2];
    cv::Mat rotation, translation; // of the right camera relative to the left one

    bool fisheye() const { return model == BOARD_LENS_FISHEYE; }
    int flags() const { return model == BOARD_LENS_8 ? cv::CALIB_RATIONAL_MODEL : 0; }
    lenses copy() const {
        lenses c = *this;
        for (int side = 0; side < 2; side++) {
            c.matrix[side] = matrix[side].clone();
            c.distortion[side] = distortion[side].clone();
        }
        c.rotation = rotation.clone();
        c.translation = translation.clone();
        return c;
    }
    void go_on() const {
        if (stop && stop(of)) throw given_up();
    }
    void project(int side, const points3 &flat, const cv::Mat &turn, const cv::Mat &shift, points2 *to) const {
        if (fisheye())
            cv::fisheye::projectPoints(flat, *to, turn, shift, matrix[side], distortion[side]);
        else
            cv::projectPoints(flat, turn, shift, matrix[side], distortion[side], *to);
    }
};

const cv::TermCriteria steps(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 60, 1e-6);
// To start near the solution.
const cv::TermCriteria few_steps(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 15, 1e-5);

// INFINITY where a point has no finite position, so that errors can be sorted.
double rms(const points2 &a, const points2 &b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++) sum += (a[i] - b[i]).ddot(a[i] - b[i]);
    const double result = std::sqrt(sum / (double)a.size());
    return std::isfinite(result) ? result : INFINITY;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

// Drops the views whose error is above `factor` times the median; noise explains errors up to `least`, and nothing
// explains those above `worst`. Returns how many.
int drop(const problem &p, const std::vector<double> &errors, double factor, double least, double worst,
         const char *why, board_view *views) {
    const double most = std::min(worst, std::max(least, factor * median(errors)));
    int dropped = 0;
    for (size_t i = 0; i < errors.size(); i++) {
        if (errors[i] <= most) continue;
        views[p.which[i]].dropped = why;
        dropped++;
    }
    return dropped;
}

// Solves for one camera; the pose of the board in each view in `turns` and `shifts`.
void solve_one(const problem &p, int side, lenses *l, std::vector<cv::Mat> *turns, std::vector<cv::Mat> *shifts) {
    l->go_on();
    if (l->fisheye()) {
        const int flags = cv::fisheye::CALIB_RECOMPUTE_EXTRINSIC | cv::fisheye::CALIB_FIX_SKEW;
        cv::fisheye::calibrate(p.flat, p.seen[side], l->size, l->matrix[side], l->distortion[side], *turns, *shifts,
                               flags, steps);
        // OpenCV returns one matrix of all poses.
        for (std::vector<cv::Mat> *of : {turns, shifts})
            for (cv::Mat &m : *of) m = m.reshape(1, 3);
    } else {
        cv::calibrateCamera(p.flat, p.seen[side], l->size, l->matrix[side], l->distortion[side], *turns, *shifts,
                            l->flags());
    }
}

std::vector<double> errors_of(const problem &p, int side, const lenses &l, const std::vector<cv::Mat> &turns,
                              const std::vector<cv::Mat> &shifts) {
    std::vector<double> errors;
    for (size_t i = 0; i < p.which.size(); i++) {
        points2 there;
        l.project(side, p.flat[i], turns[i], shifts[i], &there);
        errors.push_back(rms(there, p.seen[side][i]));
    }
    return errors;
}

// The views, with points repeated so that all have equally many: OpenCV's solver for two fisheye lenses requires that.
template <typename T> std::vector<std::vector<T>> as_many(std::vector<std::vector<T>> views) {
    size_t most = 0;
    for (const std::vector<T> &v : views) most = std::max(most, v.size());
    for (std::vector<T> &v : views)
        for (size_t i = 0; v.size() < most; i++) v.push_back(T(v[i]));
    return views;
}

// Solves for both cameras together, starting from `l`; stores the errors of each view and side.
void solve_both(const problem &p, const cv::TermCriteria &until, lenses *l, std::vector<double> errors[2]) {
    l->go_on();
    errors[0].clear();
    errors[1].clear();
    if (!l->fisheye()) {
        cv::Mat essential, fundamental, each;
        cv::stereoCalibrate(p.flat, p.seen[0], p.seen[1], l->matrix[0], l->distortion[0], l->matrix[1],
                            l->distortion[1], l->size, l->rotation, l->translation, essential, fundamental, each,
                            cv::CALIB_USE_INTRINSIC_GUESS | l->flags(), until);
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < each.rows; i++) errors[side].push_back(each.at<double>(i, side));
        return;
    }
    const int flags =
        cv::fisheye::CALIB_USE_INTRINSIC_GUESS | cv::fisheye::CALIB_RECOMPUTE_EXTRINSIC | cv::fisheye::CALIB_FIX_SKEW;
    cv::fisheye::stereoCalibrate(as_many(p.flat), as_many(p.seen[0]), as_many(p.seen[1]), l->matrix[0],
                                 l->distortion[0], l->matrix[1], l->distortion[1], l->size, l->rotation, l->translation,
                                 flags, until);
    cv::Mat about;
    cv::Rodrigues(l->rotation, about);
    for (size_t i = 0; i < p.which.size(); i++) {
        // OpenCV does not return the poses of the board.
        points2 plain, there;
        cv::Mat turn[2], shift[2];
        cv::fisheye::undistortPoints(p.seen[0][i], plain, l->matrix[0], l->distortion[0]);
        cv::solvePnP(p.flat[i], plain, cv::Mat::eye(3, 3, CV_64F), cv::noArray(), turn[0], shift[0]);
        cv::composeRT(turn[0], shift[0], about, l->translation, turn[1], shift[1]);
        for (int side = 0; side < 2; side++) {
            l->project(side, p.flat[i], turn[side], shift[side], &there);
            errors[side].push_back(rms(there, p.seen[side][i]));
        }
    }
}

std::vector<double> larger(const std::vector<double> errors[2]) {
    std::vector<double> both;
    for (size_t i = 0; i < errors[0].size(); i++) both.push_back(std::max(errors[0][i], errors[1][i]));
    return both;
}

// Finds the pose of the right camera that most views agree with; returns the error of each view with it.
std::vector<double> agree(const problem &p, const std::vector<cv::Mat> turns[2], const std::vector<cv::Mat> shifts[2],
                          lenses *l) {
    std::vector<double> best;
    for (size_t i = 0; i < p.which.size(); i++) {
        cv::Mat r[2], about, back;
        for (int side = 0; side < 2; side++) cv::Rodrigues(turns[side][i], r[side]);
        const cv::Mat rotation = r[1] * r[0].t(), translation = shifts[1][i] - rotation * shifts[0][i];
        cv::Rodrigues(rotation, about);
        std::vector<double> errors;
        for (size_t j = 0; j < p.which.size(); j++) {
            points2 there;
            cv::Mat turn, shift;
            cv::composeRT(turns[0][j], shifts[0][j], about, translation, turn, shift);
            l->project(1, p.flat[j], turn, shift, &there);
            errors.push_back(rms(there, p.seen[1][j]));
        }
        if (!best.empty() && median(errors) >= median(best)) continue;
        best = errors;
        l->rotation = rotation.clone();
        l->translation = translation.clone();
    }
    return best;
}

const double degree = CV_PI / 180;

// The numbers whose deviation is wanted.
enum { FOCAL_LEFT, FOCAL_RIGHT, FIELD_LEFT, FIELD_RIGHT, BASELINE, TURN_X, TURN_Y, TURN_Z, ROWS, FIGURES };

// Copies what was solved.
void fill_rig(const lenses &l, sv_rig *rig) {
    *rig = sv_rig();
    for (int side = 0; side < 2; side++) {
        sv_camera *c = &rig->cameras[side];
        const cv::Mat &m = l.matrix[side];
        c->width = l.size.width;
        c->height = l.size.height;
        c->fx = m.at<double>(0, 0);
        c->fy = m.at<double>(1, 1);
        c->cx = m.at<double>(0, 2);
        c->cy = m.at<double>(1, 2);
        c->lens = l.fisheye() ? SV_LENS_EQUIDISTANT : SV_LENS_POLYNOMIAL;
        const int known = l.fisheye() ? 4 : l.model == BOARD_LENS_8 ? 8 : 5;
        for (int i = 0; i < known; i++) c->coefficients[i] = l.distortion[side].at<double>(i);
    }
    for (int i = 0; i < 3; i++) {
        rig->translation[i] = l.translation.at<double>(i);
        for (int j = 0; j < 3; j++) rig->rotation[i][j] = l.rotation.at<double>(i, j);
    }
    rig->metric = true;
}

// The angle that the middle row of the picture spans, degrees; NAN where the lens has no point at its ends.
double field_of(const sv_camera &c) {
    const double ends[2][2] = {{-0.5, c.cy}, {c.width - 0.5, c.cy}};
    double left[2], right[2];
    if (!sv_unproject(&c, ends[0], left) || !sv_unproject(&c, ends[1], right)) return NAN;
    return (std::atan(right[0]) - std::atan(left[0])) / degree;
}

void figures_of(const lenses &l, board_view *views, int count, double figures[FIGURES]) {
    sv_rig rig;
    fill_rig(l, &rig);
    cv::Mat about;
    cv::Rodrigues(l.rotation, about);
    for (int side = 0; side < 2; side++) {
        figures[FOCAL_LEFT + side] = rig.cameras[side].fx;
        figures[FIELD_LEFT + side] = field_of(rig.cameras[side]);
    }
    figures[BASELINE] = cv::norm(l.translation);
    for (int i = 0; i < 3; i++) figures[TURN_X + i] = about.at<double>(i) / degree;
    figures[ROWS] = board_rows(&rig, views, count, false);
}

// The jackknife.
void deviate(const board *b, const lenses &l, board_view *views, int count, board_figure *const figures[FIGURES]) {
    enum { GROUPS = 10 };
    const int used = (int)problem_of(b, views, count, 0, 0).which.size(), groups = std::min(used, (int)GROUPS);
    std::vector<std::vector<double>> all((size_t)FIGURES);
    for (int g = 0; g < groups; g++) {
        lenses without = l.copy();
        std::vector<double> errors[2];
        double found[FIGURES];
        solve_both(problem_of(b, views, count, g, groups), few_steps, &without, errors);
        figures_of(without, views, count, found);
        for (int f = 0; f < FIGURES; f++) all[(size_t)f].push_back(found[f]);
    }
    for (int f = 0; f < FIGURES; f++) {
        double mean = 0, squares = 0;
        for (double v : all[(size_t)f]) mean += v / groups;
        for (double v : all[(size_t)f]) squares += (v - mean) * (v - mean);
        figures[f]->deviation = std::sqrt(squares * (groups - 1) / groups);
    }
}

int left_over(const board_view *views, int count) {
    int n = 0;
    for (int i = 0; i < count; i++) n += !views[i].dropped;
    return n;
}

sv_status check_left(const board_view *views, int count, const char *advice, sv_error *error) {
    const int left = left_over(views, count);
    if (left >= BOARD_LEAST_VIEWS) return SV_OK;
    return sv_fail(error, SV_FAILED, "only %d of %d views of the board can be used, and %d are needed: %s", left, count,
                   (int)BOARD_LEAST_VIEWS, advice);
}

sv_status calibrate(const board *b, lenses *l, board_view *views, int count, board_result *result, sv_error *error) {
    const char *more = "show the whole board to both cameras, at several distances and tilts, and check its name: 9x6 "
                       "are inner corners "
                       "of a chessboard, one fewer than its squares";
    sv_status status = check_left(views, count, more, error);
    std::vector<cv::Mat> turns[2], shifts[2];
    problem p;
    // Each camera alone drops pictures in which something else was taken for the board.
    for (int dropped = 1; dropped && status == SV_OK;) {
        p = problem_of(b, views, count, 0, 0);
        std::vector<double> errors[2];
        for (int side = 0; side < 2; side++) {
            solve_one(p, side, l, &turns[side], &shifts[side]);
            errors[side] = errors_of(p, side, *l, turns[side], shifts[side]);
            for (size_t i = 0; i < p.which.size(); i++) views[p.which[i]].errors[side] = errors[side][i];
        }
        dropped = drop(p, errors[0], 4, 0.5, 3, "the left picture does not fit the others", views) +
                  drop(p, errors[1], 4, 0.5, 3, "the right picture does not fit the others", views);
        status = check_left(views, count, more, error);
    }
    if (status != SV_OK) return status;
    // One relative to the other drops views whose pictures were not taken at the same moment.
    const char *apart = "the board is elsewhere in the right picture than in the left one";
    drop(p, agree(p, turns, shifts, l), 5, 5, 20, apart, views);
    status =
        check_left(views, count, "the others contradict each other; check that left and right are synchronised", error);
    std::vector<double> errors[2];
    for (int dropped = 1; dropped && status == SV_OK;) {
        p = problem_of(b, views, count, 0, 0);
        solve_both(p, steps, l, errors);
        for (size_t i = 0; i < p.which.size(); i++)
            for (int side = 0; side < 2; side++) views[p.which[i]].errors[side] = errors[side][i];
        dropped = drop(p, larger(errors), 4, 0.5, 3, apart, views);
        status = check_left(views, count, more, error);
    }
    if (status != SV_OK) return status;

    fill_rig(*l, &result->rig);
    result->used = (int)p.which.size();
    result->swapped = result->rig.translation[0] > 0;
    double squares[2] = {0, 0}, points = 0, values[FIGURES];
    for (size_t i = 0; i < p.which.size(); i++) {
        const double n = (double)p.flat[i].size();
        points += n;
        for (int side = 0; side < 2; side++) squares[side] += n * errors[side][i] * errors[side][i];
    }
    for (int side = 0; side < 2; side++) result->errors[side] = std::sqrt(squares[side] / points);
    result->error = std::sqrt((squares[0] + squares[1]) / (2 * points));
    figures_of(*l, views, count, values);
    board_figure *const figures[FIGURES] = {&result->focal[0],    &result->focal[1],    &result->field[0],
                                            &result->field[1],    &result->baseline,    &result->rotation[0],
                                            &result->rotation[1], &result->rotation[2], &result->rows};
    for (int f = 0; f < FIGURES; f++) figures[f]->value = values[f];
    deviate(b, *l, views, count, figures);
    board_rows(&result->rig, views, count, true);
    return SV_OK;
}

} // namespace

const char *board_opencv(void) { return CV_VERSION; }

sv_status board_can_find(sv_error *) { return SV_OK; }

int board_marker_cells(const board *b, int number, bool cells[BOARD_MOST_POINTS], sv_error *error) {
    try {
        cv::redirectError(hush);
        const cv::Ptr<cv::aruco::Dictionary> dictionary = dictionary_of(b);
        const cv::Mat bits = cv::aruco::Dictionary::getBitsFromByteList(
            dictionary->bytesList.rowRange(number, number + 1), dictionary->markerSize);
        const int border = border_of(b), across = bits.rows + 2 * border;
        for (int y = 0; y < across; y++)
            for (int x = 0; x < across; x++) {
                int u = x - border, v = y - border;
                const bool inside = u >= 0 && v >= 0 && u < bits.cols && v < bits.rows;
                if (b->kind == BOARD_APRILGRID) u = bits.cols - 1 - u, v = bits.rows - 1 - v;
                cells[y * across + x] = !inside || !bits.at<uchar>(v, u);
            }
        return across;
    } catch (const std::exception &e) {
        failed("cannot draw the markers of the board", e, error);
        return 0;
    }
}

sv_status board_find(const board *b, const sv_image *grey, bool quick, board_sight *sight, sv_error *error) {
    sight->count = 0;
    try {
        cv::redirectError(hush);
        const cv::Mat picture(grey->height, grey->width, CV_8UC1, grey->data, grey->stride);
        if (b->kind == BOARD_CHESS)
            find_chess(b, picture, quick, sight);
        else if (b->kind == BOARD_CHARUCO)
            find_charuco(b, picture, sight);
        else
            find_aprilgrid(b, picture, sight);
        return SV_OK;
    } catch (const std::exception &e) {
        sight->count = 0;
        return failed("cannot look for the board", e, error);
    }
}

sv_status board_calibrate(const board *b, board_lens lens, int width, int height, board_view *views, int count,
                          bool (*stop)(void *of), void *of, board_result *result, sv_error *error) {
    *result = board_result();
    try {
        cv::redirectError(hush);
        for (int i = 0; i < count; i++) {
            views[i].errors[0] = views[i].errors[1] = views[i].rows = NAN;
            views[i].dropped =
                views[i].sides[0].count < BOARD_LEAST_POINTS ? "too little of the board is in both pictures" : NULL;
        }
        lenses l;
        l.model = lens;
        l.stop = stop;
        l.of = of;
        l.size = cv::Size(width, height);
        return calibrate(b, &l, views, count, result, error);
    } catch (const given_up &) {
        return SV_CANCELLED;
    } catch (const std::exception &e) {
        return failed("the views do not determine the cameras; show the board at more distances and tilts, or name "
                      "another model of the lens",
                      e, error);
    }
}
