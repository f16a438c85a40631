// LD_PRELOAD fault shim: counts libc file calls touching $FIO_PREFIX across ALL threads.
// FIO_AT=N FIO_ACT=kill|eio|enospc|edquot|eintr|eacces|erofs|emfile|short|shortkill|list|slow|full
// An error with a plus sign, for example eio+, fails every call from the Nth on.
// list prints each call with its path, and the second path of a rename or a link on a line "FIO> path"; what a removal does not find is followed by "FIO! absent"; slow makes each sync take FIO_AT milliseconds more; full fails every call that takes space, from the first on, with ENOSPC.
// serve does nothing by itself: each line "act number" on the standard input is carried out by a copy of the process,
// made here, before its main, and answered with "FIO END status", negative where a signal ended it. Loading a program
// takes longer than what is swept.
// A name that is looked up in an open folder counts by the folder's path.
// FIO_BAD=PATH:OFFSET fails each read at an offset of a file that contains the byte, whose path ends in PATH, with EIO, as a
// bad sector of a disk does. With FIO_BAD_AT=N only the Nth of these reads fails, and with FIO_BAD_ERRNO=N
// with this errno.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#include <stdarg.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
static atomic_int n; static const char*pre,*act; static int at=-1;
// Foundation waits for a process until every copy of a socket is closed. One that was inherited here, from another test that
// starts a process at the same moment, would keep that test waiting until this process ends.
static void serve(void){static char word[32];char line[64];syscall(SYS_close_range,3,~0U,0);for(;;){size_t l=0;
  for(;;){ssize_t r=read(0,line+l,1);if(r<0&&errno==EINTR)continue;if(r<=0)_exit(0);if(line[l]=='\n')break;if(++l==sizeof line-1)_exit(64);}
  line[l]=0;if(sscanf(line,"%31s %d",word,&at)!=2)_exit(64);
  pid_t p=fork();if(!p){act=word;int d=open("/dev/null",O_RDONLY);if(d>=0){dup2(d,0);close(d);}return;}
  int st=-1;while(p>0&&waitpid(p,&st,0)<0&&errno==EINTR){}
  dprintf(1,"FIO END %d\n",p<0?71:WIFEXITED(st)?WEXITSTATUS(st):-WTERMSIG(st));}}
__attribute__((constructor)) static void init(void){pre=getenv("FIO_PREFIX");act=getenv("FIO_ACT");char*a=getenv("FIO_AT");if(a)at=atoi(a);if(!act)act="list";if(!strcmp(act,"serve"))serve();}
__attribute__((destructor)) static void fini(void){char*p=getenv("FIO_COUNT");if(p){FILE*f=fopen(p,"w");if(f){fprintf(f,"%d\n",atomic_load(&n));fclose(f);}}}
static __thread char last[8200];
static int mp(const char*p){if(!pre||!p||!strstr(p,pre))return 0;snprintf(last,sizeof last,"%s",p);return 1;}
static __thread char to[8210];
static int path(int fd,char*t){char b[64];snprintf(b,64,"/proc/self/fd/%d",fd);ssize_t r=readlink(b,t,4095);if(r<0)return 0;t[r]=0;return 1;}
static int mf(int fd){char t[4096];return path(fd,t)&&mp(t);}
static int ma(int d,const char*p){char t[8200];if(!p||p[0]=='/'||d==AT_FDCWD||!path(d,t))return mp(p);size_t l=strlen(t);snprintf(t+l,sizeof t-l,"/%s",p);return mp(t);}
static int dest(int d,const char*p){char t[8200]="";if(p&&p[0]!='/'&&d!=AT_FDCWD&&path(d,t))strcat(t,"/");snprintf(to,sizeof to,"FIO> %s%s\n",t,p?p:"");return 1;}
static int grows(const char*w){return strstr(w,"write")||strstr(w,"truncate")||strstr(w,"fallocate")||strstr(w,"mkdir");}
static int is(const char*w){size_t l=strlen(w);return !strncmp(act,w,l)&&(!act[l]||!strcmp(act+l,"+"));}
static int hit(const char*w){int k=atomic_fetch_add(&n,1)+1; if(!strcmp(act,"list")){dprintf(2,"FIO %d %s %s\n%s",k,w,last,to);to[0]=0;return 0;}
 if(!strcmp(act,"slow")){if(strstr(w,"sync"))usleep(at*1000);return 0;}
 if(!strcmp(act,"full")){if(!grows(w))return 0;errno=ENOSPC;return 1;}
 if(strchr(act,'+')?k<at:k!=at)return 0; if(!strcmp(act,"kill")){kill(getpid(),SIGKILL);for(;;)pause();}
 if(is("eio"))errno=EIO;else if(is("enospc"))errno=ENOSPC;else if(is("edquot"))errno=EDQUOT;else if(is("eintr"))errno=EINTR;else if(is("eacces"))errno=EACCES;else if(is("erofs"))errno=EROFS;else if(is("emfile"))errno=EMFILE;else if(!strncmp(act,"short",5))return 2;else return 0; return 1;}
#define R(name) static __typeof__(name)*r;if(!r)r=dlsym(RTLD_NEXT,#name)
#define OPENLIKE(NAME,ARGS,PATH,CALL) int NAME ARGS {va_list v;va_start(v,f);mode_t m=(f&(O_CREAT|__O_TMPFILE))?va_arg(v,mode_t):0;va_end(v);static int(*r)();if(!r)r=dlsym(RTLD_NEXT,#NAME);if(PATH&&hit(#NAME)==1)return -1;return CALL;}
OPENLIKE(open,(const char*p,int f,...),mp(p),r(p,f,m))
OPENLIKE(open64,(const char*p,int f,...),mp(p),r(p,f,m))
OPENLIKE(openat,(int d,const char*p,int f,...),ma(d,p),r(d,p,f,m))
OPENLIKE(openat64,(int d,const char*p,int f,...),ma(d,p),r(d,p,f,m))
ssize_t write(int fd,const void*b,size_t c){R(write);if(c&&mf(fd)){int h=hit("write");if(h==1)return -1;if(h==2){ssize_t x=r(fd,b,c/2?c/2:1);if(!strcmp(act,"shortkill")){kill(getpid(),SIGKILL);for(;;)pause();}return x;}}return r(fd,b,c);}
#define PWRITE(NAME) ssize_t NAME(int fd,const void*b,size_t c,off_t o){R(NAME);if(c&&mf(fd)){int h=hit(#NAME);if(h==1)return -1;if(h==2){ssize_t x=r(fd,b,c/2?c/2:1,o);if(!strcmp(act,"shortkill")){kill(getpid(),SIGKILL);for(;;)pause();}return x;}}return r(fd,b,c,o);}
PWRITE(pwrite) PWRITE(pwrite64)   // SQLite calls the 64-bit names
static int bad(int fd,size_t c,off_t o){char*e=getenv("FIO_BAD"),t[4096];char*at=e?strrchr(e,':'):0;if(!at||!path(fd,t))return 0;off_t k=atoll(at+1);size_t l=strlen(t),m=at-e;if(l<m||strncmp(t+l-m,e,m)||o>k||k>=o+(off_t)c)return 0;static atomic_int reads;char*one=getenv("FIO_BAD_AT");int is=atomic_fetch_add(&reads,1)+1;return !one||is==atoi(one);}
#define PREAD(NAME) ssize_t NAME(int fd,void*b,size_t c,off_t o){R(NAME);if(bad(fd,c,o)){char*e=getenv("FIO_BAD_ERRNO");errno=e?atoi(e):EIO;return -1;}return r(fd,b,c,o);}
PREAD(pread) PREAD(pread64)
#define VECTOR(NAME,ARGS,CALL) ssize_t NAME ARGS{static ssize_t(*r)();if(!r)r=(ssize_t(*)())dlsym(RTLD_NEXT,#NAME);if(mf(fd)&&hit(#NAME)==1)return -1;return CALL;}
VECTOR(writev,(int fd,const struct iovec*v,int c),r(fd,v,c)) VECTOR(pwritev,(int fd,const struct iovec*v,int c,off_t o),r(fd,v,c,o))
#define FD1(N) int N(int fd){R(N);if(mf(fd)&&hit(#N)==1)return -1;return r(fd);}
FD1(fsync) FD1(fdatasync) FD1(close)
// A file is opened without waiting by this call alone. As on an old kernel, it does not exist here: then reads are calls that count.
long syscall(long number,...){static long(*r)(long,...);if(!r)r=(long(*)(long,...))dlsym(RTLD_NEXT,"syscall");long a[6];va_list v;va_start(v,number);for(int i=0;i<6;i++)a[i]=va_arg(v,long);va_end(v);
 if(number==SYS_openat2){errno=ENOSYS;return -1;}return r(number,a[0],a[1],a[2],a[3],a[4],a[5]);}
int rename(const char*a,const char*b){R(rename);if((mp(a)||mp(b))&&dest(AT_FDCWD,b)&&hit("rename")==1)return -1;return r(a,b);}
int renameat(int d,const char*a,int e,const char*b){R(renameat);if((ma(d,a)||ma(e,b))&&dest(e,b)&&hit("renameat")==1)return -1;return r(d,a,e,b);}
int renameat2(int d,const char*a,int e,const char*b,unsigned f){R(renameat2);if((ma(d,a)||ma(e,b))&&dest(e,b)&&hit("renameat2")==1)return -1;return r(d,a,e,b,f);}
int unlink(const char*a){R(unlink);if(mp(a)&&hit("unlink")==1)return -1;return r(a);}
int mkdir(const char*a,mode_t m){R(mkdir);if(mp(a)&&hit("mkdir")==1)return -1;return r(a,m);}
int chmod(const char*a,mode_t m){R(chmod);if(mp(a)&&hit("chmod")==1)return -1;return r(a,m);}
int fchmod(int fd,mode_t m){R(fchmod);if(mf(fd)&&hit("fchmod")==1)return -1;return r(fd,m);}
#define TRUNC(NAME) int NAME(int fd,off_t o){R(NAME);if(mf(fd)&&hit(#NAME)==1)return -1;return r(fd,o);}
TRUNC(ftruncate) TRUNC(ftruncate64)
#define ALLOCATE(NAME) int NAME(int fd,off_t a,off_t b){R(NAME);if(mf(fd)&&hit(#NAME)==1)return errno;return r(fd,a,b);}   // returns the error
ALLOCATE(posix_fallocate) ALLOCATE(posix_fallocate64)
int link(const char*a,const char*b){R(link);if((mp(a)||mp(b))&&dest(AT_FDCWD,b)&&hit("link")==1)return -1;return r(a,b);}
int mkostemp(char*t,int f){R(mkostemp);if(mp(t)&&hit("mkostemp")==1)return -1;return r(t,f);}
int mkstemp(char*t){R(mkstemp);if(mp(t)&&hit("mkstemp")==1)return -1;return r(t);}
int unlinkat(int d,const char*a,int f){R(unlinkat);struct stat s;if(ma(d,a)&&(fstatat(d,a,&s,AT_SYMLINK_NOFOLLOW)&&strcpy(to,"FIO! absent\n"),1)&&hit("unlinkat")==1)return -1;return r(d,a,f);}
int mkdirat(int d,const char*a,mode_t m){R(mkdirat);if(ma(d,a)&&hit("mkdirat")==1)return -1;return r(d,a,m);}
int linkat(int d,const char*a,int e,const char*b,int f){R(linkat);if((ma(d,a)||ma(e,b))&&dest(e,b)&&hit("linkat")==1)return -1;return r(d,a,e,b,f);}
int fchmodat(int d,const char*a,mode_t m,int f){R(fchmodat);if(ma(d,a)&&hit("fchmodat")==1)return -1;return r(d,a,m,f);}
