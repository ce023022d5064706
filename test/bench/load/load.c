// An HTTP/1.1 load generator on one thread. It reads its orders from standard input and writes its figures as JSON;
// README.md beside this file describes both. Latency counts from the moment at which a request was due, so that a slow
// service cannot delay the requests that would show its slowness.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { LISTS = 64, SCRIPTS = 64, STEPS = 12, TAKES = 12, TAKEN = 1024, SAMPLES = 5, SAMPLE = 300, EVENTS = 512 };
enum { BUCKETS = 64 * 128, CONNECTING_AT_ONCE = 256, STATUSES = 600 };
static const int64_t SECOND = 1000000000, PATIENCE = 30 * SECOND;

typedef struct { char *name, **items; int count; } List;
typedef enum { TEXT, DRAW, OTHER, LIKE, NUMBER, SEQUENCE, KEY, VALUE } PartKind;
typedef struct { PartKind kind; char *text; size_t length; int list, like; int64_t from, to; } Part;
typedef struct { Part *parts; int count; } Template;
typedef struct { Template head, body; int takes[TAKES], take_count; } Step;
typedef struct { Step steps[STEPS]; int step_count; int64_t weight, done; } Script;
typedef struct { int64_t buckets[BUCKETS], count, max; } Histogram;
typedef struct {
  int fd, step;
  bool open, busy, writing, kept, queued, replaying;
  Script *script;
  int64_t due, sent, number;
  char *out, *in;
  size_t out_length, out_room, out_done, in_length, in_room;
  int drawn[LISTS];
  char taken[TAKES][TAKEN];
} Connection;

static List lists[LISTS];
static Script scripts[SCRIPTS];
static struct { char *name, *mark; } takes[TAKES];
static int list_count, script_count, take_count, poller, timer;
static int64_t weights, connections_wanted = 1, rate, operations, begun, replays_in_1000, key_number, start, measured_from, ends;
static double seconds = 1, warm_up;
static int port, *idle, idle_first, idle_count, busy_count, opening, opened;
static char *host = "127.0.0.1", *key_prefix = "load", *mark;
static Connection *connections;
static Histogram since_due, since_sent;
static int64_t statuses[STATUSES], measured_statuses[STATUSES], marked, measured_marked, done, measured_done, stopped,
  faults, arrivals, replayed;
static char samples[SAMPLES][SAMPLE];
static int sample_count;
static uint64_t random_state;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * SECOND + time.tv_nsec;
}

static int64_t random_below(int64_t bound) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (int64_t)((random_state >> 1) % (uint64_t)bound);
}

// Buckets are 1/128 of a power of two wide: a percentile is at most 0.8 % too high.
static void record(Histogram *histogram, int64_t nanoseconds) {
  uint64_t value = nanoseconds < 0 ? 0 : (uint64_t)nanoseconds / 1000;
  int shift = value < 256 ? 0 : 56 - __builtin_clzll(value);
  histogram->buckets[shift * 128 + (int)(value >> shift)] += 1;
  histogram->count += 1;
  if ((int64_t)value > histogram->max) histogram->max = (int64_t)value;
}

static int64_t percentile(const Histogram *histogram, double share) {
  int64_t rank = (int64_t)(share * (double)histogram->count + 0.9999999), seen = 0;
  for (int index = 0; index < BUCKETS; index++) {
    seen += histogram->buckets[index];
    if (seen < rank || seen == 0) continue;
    int shift = index < 256 ? 0 : index / 128 - 1;
    int64_t top = ((int64_t)(index - shift * 128 + 1) << shift) - 1;
    return top < histogram->max ? top : histogram->max;
  }
  return 0;
}

static int list_named(const char *name) {
  for (int index = 0; index < list_count; index++) if (strcmp(lists[index].name, name) == 0) return index;
  fail("there is no list %s", name);
  return -1;
}

static Part part_of(char *words) {
  char first[64], how[16] = "", second[64] = "";
  Part part = {0};
  sscanf(words, "%63s %15s %63s", first, how, second);
  if (strcmp(first, "key") == 0) return (Part){.kind = KEY};
  if (sscanf(first, "%ld-%ld", &part.from, &part.to) == 2) { part.kind = NUMBER; return part; }
  for (int index = 0; index < take_count; index++) {
    if (strcmp(takes[index].name, first) == 0) return (Part){.kind = VALUE, .list = index};
  }
  if (strcmp(first, "sequence") == 0) return (Part){.kind = SEQUENCE, .from = atol(how)};
  part.list = list_named(first);
  part.kind = strcmp(how, "other") == 0 ? OTHER : strcmp(how, "like") == 0 ? LIKE : DRAW;
  if (part.kind == LIKE) part.like = list_named(second);
  return part;
}

static Template template_of(char *text) {
  Template template = {.parts = malloc(sizeof(Part) * 4), .count = 0};
  while (*text != '\0') {
    char *open = strchr(text, '<'), *close = open == NULL ? NULL : strchr(open, '>');
    size_t length = close == NULL ? strlen(text) : (size_t)(open - text);
    template.parts = realloc(template.parts, sizeof(Part) * (size_t)(template.count + 2));
    template.parts[template.count++] = (Part){.kind = TEXT, .text = strndup(text, length), .length = length};
    text += length;
    if (close == NULL) continue;
    char *words = strndup(open + 1, (size_t)(close - open - 1));
    template.parts[template.count++] = part_of(words);
    free(words);
    text = close + 1;
  }
  return template;
}

static char *next_line(void) {
  static char *line;
  static size_t room;
  ssize_t length = getline(&line, &room, stdin);
  if (length < 0) return NULL;
  if (length > 0 && line[length - 1] == '\n') line[length - 1] = '\0';
  return line;
}

static void read_list(char *words) {
  List *list = &lists[list_count++];
  char name[64];
  if (list_count > LISTS || sscanf(words, "%63s %d", name, &list->count) != 2) fail("a list has a name and a count");
  list->name = strdup(name);
  list->items = malloc(sizeof(char *) * (size_t)list->count);
  for (int index = 0; index < list->count; index++) list->items[index] = strdup(next_line());
}

// A request is its head, an empty line and one line of body.
static void read_request(void) {
  Script *script = &scripts[script_count - 1];
  if (script_count == 0 || script->step_count == STEPS) fail("a request belongs to a script of at most %d", STEPS);
  Step *step = &script->steps[script->step_count++];
  char *head = calloc(1, 1), *line;
  while ((line = next_line()) != NULL && *line != '\0') {
    head = realloc(head, strlen(head) + strlen(line) + 3);
    strcat(strcat(head, line), "\r\n");
  }
  step->head = template_of(head);
  step->body = template_of(next_line());
  free(head);
}

static void read_take(char *words) {
  Script *script = &scripts[script_count - 1];
  Step *step = &script->steps[script->step_count - 1];
  char *text = strchr(words, ' ');
  if (text == NULL) fail("a take has a name and a text");
  *text = '\0';
  int take = 0;
  while (take < take_count && strcmp(takes[take].name, words) != 0) take++;
  if (take == TAKES) fail("at most %d takes", TAKES);
  if (take == take_count) {
    takes[take_count].name = strdup(words);
    takes[take_count++].mark = strdup(text + 1);
  }
  if (strcmp(takes[take].mark, text + 1) != 0) fail("%s is taken after two texts", words);
  step->takes[step->take_count++] = take;
}

static void read_orders(void) {
  char *line;
  while ((line = next_line()) != NULL) {
    char *value = strchr(line, ' ');
    if (value != NULL) *value++ = '\0';
    if (strcmp(line, "request") == 0) read_request();
    else if (*line == '\0') continue;
    else if (value == NULL) fail("%s has no value", line);
    else if (strcmp(line, "host") == 0) host = strdup(value);
    else if (strcmp(line, "port") == 0) port = atoi(value);
    else if (strcmp(line, "connections") == 0) connections_wanted = atol(value);
    else if (strcmp(line, "seconds") == 0) seconds = atof(value);
    else if (strcmp(line, "warm-up") == 0) warm_up = atof(value);
    else if (strcmp(line, "rate") == 0) rate = atol(value);
    else if (strcmp(line, "operations") == 0) operations = atol(value);
    else if (strcmp(line, "replays-in-1000") == 0) replays_in_1000 = atol(value);
    else if (strcmp(line, "key") == 0) key_prefix = strdup(value);
    else if (strcmp(line, "mark") == 0) mark = strdup(value);
    else if (strcmp(line, "list") == 0) read_list(value);
    else if (strcmp(line, "take") == 0) read_take(value);
    else if (strcmp(line, "script") == 0 && script_count < SCRIPTS) weights += scripts[script_count++].weight = atol(value);
    else fail("an unknown order: %s", line);
  }
}

static void append(Connection *connection, const char *text, size_t length) {
  if (connection->out_length + length + 1 > connection->out_room) {
    connection->out_room = 2 * connection->out_room + length + 1;
    connection->out = realloc(connection->out, connection->out_room);
  }
  memcpy(connection->out + connection->out_length, text, length);
  connection->out_length += length;
}

static void append_item(Connection *connection, int list, int index) {
  const char *item = lists[list].items[index % lists[list].count];
  append(connection, item, strlen(item));
}

static void fill(Connection *connection, const Template *template) {
  char text[128];
  for (int index = 0; index < template->count; index++) {
    const Part *part = &template->parts[index];
    int *drawn = &connection->drawn[part->list];
    switch (part->kind) {
      case TEXT: append(connection, part->text, part->length); break;
      case DRAW: append_item(connection, part->list, *drawn = (int)random_below(lists[part->list].count)); break;
      case OTHER:
        append_item(connection, part->list, *drawn + 1 + (int)random_below(lists[part->list].count - 1));
        break;
      case LIKE: append_item(connection, part->list, connection->drawn[part->like]); break;
      case NUMBER:
        snprintf(text, sizeof text, "%ld", part->from + random_below(part->to - part->from + 1));
        append(connection, text, strlen(text));
        break;
      case SEQUENCE:
        snprintf(text, sizeof text, "%ld", part->from + connection->number);
        append(connection, text, strlen(text));
        break;
      case KEY:
        snprintf(text, sizeof text, "%s-%ld", key_prefix, ++key_number);
        append(connection, text, strlen(text));
        break;
      case VALUE: append(connection, connection->taken[part->list], strlen(connection->taken[part->list])); break;
    }
  }
}

// The length of a body is known once it is made: it stands in the head with a fixed number of digits.
static void make_request(Connection *connection, const Step *step) {
  static const char LENGTH[] = "Content-Length: 00000000\r\n\r\n";
  connection->out_length = 0;
  fill(connection, &step->head);
  if (step->body.count == 0) return append(connection, "\r\n", 2);
  append(connection, LENGTH, sizeof LENGTH - 1);
  size_t body = connection->out_length;
  fill(connection, &step->body);
  char digits[32];
  snprintf(digits, sizeof digits, "%08zu", connection->out_length - body);
  memcpy(connection->out + body - 12, digits, 8);
}

static void watch(Connection *connection, uint32_t events, int operation) {
  struct epoll_event event = {.events = events, .data.ptr = connection};
  epoll_ctl(poller, operation, connection->fd, &event);
}

static void sample(const char *text) {
  if (sample_count < SAMPLES) snprintf(samples[sample_count++], SAMPLE, "%s", text);
}

static void connect_to(Connection *connection) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  inet_pton(AF_INET, host, &address.sin_addr);
  connection->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (connection->fd < 0) fail("no socket: %s", strerror(errno));
  // Closing resets, so that thousands of closed connections hold no ports.
  setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
  setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  connect(connection->fd, (struct sockaddr *)&address, sizeof address);
  connection->open = connection->writing = false;
  connection->in_length = 0;
  opening += 1;
  watch(connection, EPOLLIN | EPOLLOUT, EPOLL_CTL_ADD);
}

static void rest(Connection *connection) {
  connection->busy = false;
  if (connection->queued) return;
  connection->queued = true;
  idle[(idle_first + idle_count++) % connections_wanted] = (int)(connection - connections);
}

static void lose(Connection *connection, const char *why) {
  sample(why);
  faults += 1;
  if (connection->open) opened -= 1; else opening -= 1;
  if (connection->busy) busy_count -= 1;
  connection->busy = connection->kept = false;
  close(connection->fd);
  if (faults > 10 * connections_wanted + 100) fail("too many faults: %s", why);
  connect_to(connection);
}

static void write_out(Connection *connection) {
  size_t left = connection->out_length - connection->out_done;
  ssize_t sent = send(connection->fd, connection->out + connection->out_done, left, MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) return lose(connection, strerror(errno));
  if (sent > 0) connection->out_done += (size_t)sent;
  bool writing = connection->out_done < connection->out_length;
  if (writing != connection->writing) watch(connection, writing ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
  connection->writing = writing;
}

static void send_step(Connection *connection) {
  make_request(connection, &connection->script->steps[connection->step]);
  connection->out_done = 0;
  write_out(connection);
}

static bool goes_on(int64_t time) {
  return time < ends && (operations == 0 || begun < operations);
}

// A replay sends the bytes of this connection's last request again, its key included.
static void begin(Connection *connection, int64_t due) {
  connection->due = due;
  connection->sent = now();
  connection->busy = true;
  busy_count += 1;
  connection->number = begun++;
  connection->replaying = connection->kept && replays_in_1000 > 0 && random_below(1000) < replays_in_1000;
  if (connection->replaying) {
    replayed += 1;
    connection->kept = false;
    connection->out_done = 0;
    return write_out(connection);
  }
  int64_t drawn = random_below(weights);
  connection->script = scripts;
  while (drawn >= connection->script->weight) drawn -= connection->script++->weight;
  connection->step = 0;
  send_step(connection);
}

static bool take_values(Connection *connection, const char *answer) {
  const Step *step = &connection->script->steps[connection->step];
  for (int index = 0; index < step->take_count; index++) {
    int take = step->takes[index];
    const char *found = strstr(answer, takes[take].mark), *from = found == NULL ? NULL : found + strlen(takes[take].mark);
    size_t length = from == NULL ? TAKEN : strcspn(from, "\",;\r\n");
    if (length >= TAKEN) return false;
    memcpy(connection->taken[take], from, length);
    connection->taken[take][length] = '\0';
  }
  return true;
}

static void finish(Connection *connection, int status, bool good, bool has_mark) {
  int64_t time = now();
  busy_count -= 1;
  if (good && !connection->replaying) {
    done += 1;
    connection->script->done += 1;
    marked += has_mark;
  }
  if (time >= measured_from && time < ends) {
    measured_statuses[status] += 1;
    if (good) {
      measured_done += 1;
      measured_marked += has_mark;
      record(&since_due, time - connection->due);
      record(&since_sent, time - connection->sent);
    }
  }
  connection->kept = good && connection->script->step_count == 1;
  if (rate == 0 && goes_on(time)) begin(connection, time);
  else rest(connection);
}

static void answered(Connection *connection, const char *answer, const char *body, int status) {
  bool good = status < 300, has_mark = mark != NULL && strstr(body, mark) != NULL;
  statuses[status] += 1;
  if (!good && status != 429 && status != 503) sample(answer);
  if (good && !take_values(connection, answer)) {
    sample(answer);
    stopped += 1;
    good = false;
  }
  bool more = good && connection->step + 1 < connection->script->step_count;
  if (!more) return finish(connection, status, good, has_mark);
  connection->step += 1;
  send_step(connection);
}

static void read_in(Connection *connection) {
  if (connection->in_room - connection->in_length < 8192) {
    connection->in = realloc(connection->in, connection->in_room = connection->in_room * 2 + 8192 + 1);
  }
  ssize_t got = recv(connection->fd, connection->in + connection->in_length,
    connection->in_room - connection->in_length - 1, 0);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) return lose(connection, got == 0 ? "the service closed a connection" : strerror(errno));
  connection->in_length += (size_t)got;
  connection->in[connection->in_length] = '\0';
  char *end = strstr(connection->in, "\r\n\r\n");
  if (end == NULL) return;
  *end = '\0';
  char *length = strcasestr(connection->in, "\r\ncontent-length:");
  int status = atoi(connection->in + 9);
  *end = '\r';
  if (status < 100 || status >= STATUSES || (length == NULL && status != 204)) {
    return lose(connection, "an answer without status or length");
  }
  size_t whole = (size_t)(end + 4 - connection->in) + (length == NULL ? 0 : (size_t)atol(length + 17));
  if (connection->in_length < whole) return;
  connection->in_length = 0;
  if (connection->busy) answered(connection, connection->in, end + 4, status);
}

static void became_writable(Connection *connection) {
  if (connection->open) return write_out(connection);
  int error = 0;
  getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
  if (error != 0) return lose(connection, strerror(error));
  watch(connection, EPOLLIN, EPOLL_CTL_MOD);
  connection->open = true;
  opening -= 1;
  opened += 1;
  if (start != 0 && rate == 0 && goes_on(now())) begin(connection, now());
  else rest(connection);
}

static int64_t due_time(int64_t arrival) {
  return start + (int64_t)((double)arrival * (double)SECOND / (double)rate);
}

// One wake-up for each request would cost as much as the request: it leaves at most this much late, which counts.
static const int64_t SHORTEST_SLEEP = 250000;
static int64_t woken_at;

// Requests that are due leave on idle connections; where none is idle they wait, and their latency counts on.
static void send_due(int64_t time) {
  if (rate == 0 || time >= ends) return;
  int64_t due = (int64_t)((double)(time - start) * (double)rate / (double)SECOND);
  while (arrivals <= due && idle_count > 0) {
    Connection *connection = &connections[idle[idle_first]];
    idle_first = (idle_first + 1) % (int)connections_wanted;
    idle_count -= 1;
    connection->queued = false;
    if (!connection->open) continue;
    begin(connection, due_time(arrivals++));
  }
  if (idle_count == 0 || woken_at > time) return;
  int64_t next = due_time(arrivals), soonest = time + SHORTEST_SLEEP;
  woken_at = next = next > soonest ? next : soonest;
  struct itimerspec at = {.it_value = {next / SECOND, next % SECOND}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void poll_once(void) {
  struct epoll_event events[EVENTS];
  int count = epoll_wait(poller, events, EVENTS, 100);
  for (int index = 0; index < count; index++) {
    Connection *connection = events[index].data.ptr;
    uint64_t expirations;
    if (connection == NULL) { if (read(timer, &expirations, 8) < 0) continue; else continue; }
    if (events[index].events & (EPOLLOUT | EPOLLERR) && (!connection->open || connection->writing)) {
      became_writable(connection);
    } else if (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_in(connection);
  }
}

static void open_all(void) {
  connections = calloc((size_t)connections_wanted, sizeof(Connection));
  idle = calloc((size_t)connections_wanted, sizeof(int));
  int64_t begun = 0, gives_up = now() + PATIENCE;
  while (opened < connections_wanted) {
    while (begun < connections_wanted && opening < CONNECTING_AT_ONCE) connect_to(&connections[begun++]);
    poll_once();
    if (now() > gives_up) fail("only %d connections opened", opened);
  }
}

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double ran_for;

static double run(void) {
  double used_before = processor_seconds();
  start = now();
  measured_from = start + (int64_t)(warm_up * (double)SECOND);
  ends = measured_from + (int64_t)(seconds * (double)SECOND);
  int64_t at_start = idle_count;
  for (int64_t index = 0; rate == 0 && index < at_start; index++) connections[index].queued = false;
  if (rate == 0) idle_count = 0;
  for (int64_t index = 0; rate == 0 && index < at_start && goes_on(start); index++) begin(&connections[index], start);
  for (int64_t time = start; goes_on(time); time = now()) {
    send_due(time);
    poll_once();
  }
  double used = processor_seconds() - used_before;
  while (busy_count > 0 && now() < ends + PATIENCE) poll_once();
  ran_for = (double)(now() - start) / (double)SECOND;
  if (busy_count > 0) sample("requests were not answered in time");
  faults += busy_count;
  return used;
}

static void print_histogram(const char *name, const Histogram *histogram) {
  printf("\"%s\":{\"p50\":%ld,\"p90\":%ld,\"p99\":%ld,\"p999\":%ld,\"max\":%ld},", name,
    percentile(histogram, 0.5), percentile(histogram, 0.9), percentile(histogram, 0.99), percentile(histogram, 0.999),
    histogram->max);
}

static void print_statuses(const char *name, const int64_t *counts) {
  const char *comma = "";
  printf("\"%s\":{", name);
  for (int status = 0; status < STATUSES; status++) {
    if (counts[status] == 0) continue;
    printf("%s\"%d\":%ld", comma, status, counts[status]);
    comma = ",";
  }
  printf("},");
}

static void print_figures(double used) {
  int64_t due = rate == 0 ? 0 : (int64_t)((warm_up + seconds) * (double)rate);
  printf("{\"seconds\":%g,\"ranFor\":%.3f,\"perSecond\":%.1f,\"done\":%ld,\"marked\":%ld,\"measured\":%ld,\"measuredMarked\":%ld,",
    seconds, ran_for, (double)measured_done / seconds, done, marked, measured_done, measured_marked);
  printf("\"replayed\":%ld,\"stopped\":%ld,\"faults\":%ld,\"unsent\":%ld,\"processorCores\":%.4f,", replayed, stopped,
    faults, due > arrivals ? due - arrivals : 0, used / (warm_up + seconds));
  print_statuses("statuses", statuses);
  print_statuses("measuredStatuses", measured_statuses);
  print_histogram("sinceDue", &since_due);
  print_histogram("sinceSent", &since_sent);
  printf("\"scripts\":[");
  for (int index = 0; index < script_count; index++) printf("%s%ld", index == 0 ? "" : ",", scripts[index].done);
  printf("],\"samples\":[");
  for (int index = 0; index < sample_count; index++) {
    printf("%s\"", index == 0 ? "" : ",");
    for (unsigned char *text = (unsigned char *)samples[index]; *text != '\0'; text++) {
      printf(*text < 32 || *text == '"' || *text == '\\' ? "\\u%04x" : "%c", *text);
    }
    printf("\"");
  }
  printf("]}\n");
}

int main(void) {
  random_state = (uint64_t)now() | 1;
  read_orders();
  if (script_count == 0 || port == 0) fail("neither port nor script");
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  poller = epoll_create1(EPOLL_CLOEXEC);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  epoll_ctl(poller, EPOLL_CTL_ADD, timer, &(struct epoll_event){.events = EPOLLIN, .data.ptr = NULL});
  open_all();
  print_figures(run());
}
