using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>The system calls. Each returns −1 and sets the error number when it fails.</summary>
[SupportedOSPlatform("linux")]
internal static unsafe partial class LinuxCalls
{
    /// <summary>MSG_DONTWAIT.</summary>
    public const int DontWait = 0x40;

    /// <summary>MSG_WAITFORONE: the first message may be waited for, the others not.</summary>
    public const int WaitForOne = 0x10000;

    /// <summary>MSG_NOSIGNAL.</summary>
    public const int NoSignal = 0x4000;

    /// <summary>RLIMIT_NOFILE.</summary>
    public const int FilesLimit = 7;

    /// <summary>PR_SET_TIMERSLACK: of this thread, in nanoseconds.</summary>
    public const int SetTimerSlack = 29;

    private const string Libc = "libc";

    /// <summary>Fills a <c>struct statx</c>, which is the same on all processors.</summary>
    [LibraryImport(Libc, EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Describe(int folder, string path, int flags, uint wanted, byte* facts);

    [LibraryImport(Libc, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport(Libc, EntryPoint = "socket", SetLastError = true)]
    public static partial DescriptorHandle Socket(int family, int type, int protocol);

    [LibraryImport(Libc, EntryPoint = "bind", SetLastError = true)]
    public static partial int Bind(SafeHandle socket, void* address, int length);

    [LibraryImport(Libc, EntryPoint = "connect", SetLastError = true)]
    public static partial int Connect(SafeHandle socket, void* address, int length);

    [LibraryImport(Libc, EntryPoint = "accept4", SetLastError = true)]
    public static partial DescriptorHandle Accept(SafeHandle socket, void* address, int* length, int flags);

    [LibraryImport(Libc, EntryPoint = "setsockopt", SetLastError = true)]
    public static partial int SetOption(SafeHandle socket, int level, int name, void* value, int length);

    [LibraryImport(Libc, EntryPoint = "getsockopt", SetLastError = true)]
    public static partial int GetOption(SafeHandle socket, int level, int name, void* value, int* length);

    [LibraryImport(Libc, EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(SafeHandle socket, void* bytes, nint length, int flags);

    [LibraryImport(Libc, EntryPoint = "recv", SetLastError = true)]
    public static partial nint Receive(SafeHandle socket, void* bytes, nint length, int flags);

    /// <summary>As above, for a descriptor that the caller keeps open. The error number is the system's, to be read at
    /// once (<see cref="Marshal.GetLastSystemError"/>): it is not kept for later, which each call would pay
    /// for.</summary>
    [LibraryImport(Libc, EntryPoint = "send")]
    public static partial nint Send(int socket, void* bytes, nint length, int flags);

    /// <summary>As above.</summary>
    [LibraryImport(Libc, EntryPoint = "recv")]
    public static partial nint Receive(int socket, void* bytes, nint length, int flags);

    [LibraryImport(Libc, EntryPoint = "recvmsg", SetLastError = true)]
    public static partial nint ReceiveMessage(SafeHandle socket, MessageHeader* message, int flags);

    /// <summary>Any system call, by its number on this kind of processor. The C library's own functions for calls that
    /// may block can be cancelled, which costs two locked operations and a call each where there are threads. The error
    /// number is as above.</summary>
    [LibraryImport(Libc, EntryPoint = "syscall")]
    public static partial nint Direct(
        nint number,
        nint socket,
        void* bytes,
        nint length,
        nint flags,
        void* address,
        nint addressLength
    );

    [LibraryImport(Libc, EntryPoint = "sendmmsg", SetLastError = true)]
    public static partial int SendBatch(SafeHandle socket, BatchMessage* messages, uint count, int flags);

    [LibraryImport(Libc, EntryPoint = "recvmmsg", SetLastError = true)]
    public static partial int ReceiveBatch(
        SafeHandle socket,
        BatchMessage* messages,
        uint count,
        int flags,
        void* timeout
    );

    /// <summary>Answers MAP_FAILED, all ones, when it fails.</summary>
    [LibraryImport(Libc, EntryPoint = "mmap", SetLastError = true)]
    public static partial nint Map(
        void* wanted,
        nuint length,
        int protection,
        int flags,
        SafeHandle descriptor,
        nint offset
    );

    [LibraryImport(Libc, EntryPoint = "munmap", SetLastError = true)]
    public static partial int Unmap(nint memory, nuint length);

    [LibraryImport(Libc, EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial DescriptorHandle CreateEpoll(int flags);

    [LibraryImport(Libc, EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int ControlEpoll(SafeHandle epoll, int operation, SafeHandle descriptor, void* change);

    [LibraryImport(Libc, EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int WaitEpoll(SafeHandle epoll, void* events, int count, int millis);

    [LibraryImport(Libc, EntryPoint = "epoll_pwait2", SetLastError = true)]
    public static partial int WaitEpollNanos(SafeHandle epoll, void* events, int count, TimeSpec* limit, void* signals);

    [LibraryImport(Libc, EntryPoint = "ppoll", SetLastError = true)]
    public static partial int Poll(PollDescriptor* descriptors, nuint count, TimeSpec* limit, void* signals);

    [LibraryImport(Libc, EntryPoint = "eventfd", SetLastError = true)]
    public static partial DescriptorHandle EventDescriptor(uint initial, int flags);

    [LibraryImport(Libc, EntryPoint = "timerfd_create", SetLastError = true)]
    public static partial DescriptorHandle TimerDescriptor(int clock, int flags);

    [LibraryImport(Libc, EntryPoint = "timerfd_settime", SetLastError = true)]
    public static partial int SetTimer(SafeHandle timer, int flags, TimeSpec* times, TimeSpec* before);

    [LibraryImport(Libc, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(SafeHandle descriptor, void* bytes, nint length);

    [LibraryImport(Libc, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(SafeHandle descriptor, void* bytes, nint length);

    [LibraryImport(Libc, EntryPoint = "prctl", SetLastError = true)]
    public static partial int Control(int option, nuint value, nuint two, nuint three, nuint four);

    [LibraryImport(Libc, EntryPoint = "clock_gettime", SetLastError = true)]
    public static partial int GetClock(int clock, out ClockTime time);

    [LibraryImport(Libc, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial DescriptorHandle Open(string path, int flags, int mode);

    [LibraryImport(Libc, EntryPoint = "ioctl", SetLastError = true)]
    public static partial int ControlDevice(SafeHandle descriptor, nuint request, void* argument);

    [LibraryImport(
        Libc,
        EntryPoint = "if_nametoindex",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf8
    )]
    public static partial uint IndexOfInterface(string name);

    /// <summary>The calling thread, and no other, goes into another namespace.</summary>
    [LibraryImport(Libc, EntryPoint = "setns", SetLastError = true)]
    public static partial int EnterNamespace(SafeHandle descriptor, int kind);

    /// <summary>As above, into a new one.</summary>
    [LibraryImport(Libc, EntryPoint = "unshare", SetLastError = true)]
    public static partial int LeaveNamespaces(int kinds);

    [LibraryImport(Libc, EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Mount(string from, string onto, string kind, nuint flags, void* data);

    [LibraryImport(Libc, EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unmount(string path, int flags);

    /// <summary>What 0 and 0, the calling thread, 10 means: the thread is nicer to others.</summary>
    [LibraryImport(Libc, EntryPoint = "setpriority", SetLastError = true)]
    public static partial int SetPriority(int which, uint who, int nice);

    [LibraryImport(Libc, EntryPoint = "getpriority", SetLastError = true)]
    public static partial int GetPriority(int which, uint who);

    [LibraryImport(Libc, EntryPoint = "getrlimit", SetLastError = true)]
    public static partial int GetLimit(int resource, out ResourceLimit limit);

    [LibraryImport(Libc, EntryPoint = "setrlimit", SetLastError = true)]
    public static partial int SetLimit(int resource, in ResourceLimit limit);

    /// <summary>struct rlimit.</summary>
    public readonly record struct ResourceLimit(ulong Soft, ulong Hard);

    /// <summary>struct timespec.</summary>
    public struct TimeSpec
    {
        public nint Seconds;
        public nint Nanos;

        public TimeSpec(long nanos) =>
            (Seconds, Nanos) = ((nint)(nanos / 1_000_000_000), (nint)(nanos % 1_000_000_000));
    }

    /// <summary>struct pollfd.</summary>
    public struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Returned;
    }
}
