using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>The system calls about processes. Those of <c>posix_spawn</c> answer an error number, the others
/// −1.</summary>
[SupportedOSPlatform("linux")]
internal static unsafe partial class ChildCalls
{
    /// <summary>More than a <c>posix_spawn_file_actions_t</c> and a <c>posix_spawnattr_t</c> of any C library
    /// have.</summary>
    public const int SpawnBlock = 512;

    /// <summary>Bytes of a <c>sigset_t</c>.</summary>
    public const int SignalSet = 128;

    /// <summary>POSIX_SPAWN_SETPGROUP, _SETSIGDEF and _SETSIGMASK.</summary>
    public const short SpawnFlags = 0x02 | 0x04 | 0x08;

    /// <summary>PRIO_PGRP.</summary>
    public const int OfGroup = 1;

    /// <summary>SIGKILL.</summary>
    public const int KillSignal = 9;

    /// <summary>O_CLOEXEC, of pipes.</summary>
    public const int CloseOnExec = 0x80000;

    /// <summary>F_SETFL.</summary>
    public const int SetFlags = 4;

    /// <summary>O_NONBLOCK.</summary>
    public const int NonBlocking = 0x800;

    /// <summary>F_SETPIPE_SZ.</summary>
    public const int SetPipeSize = 1031;

    /// <summary>Bytes of a <c>siginfo_t</c>.</summary>
    public const int SignalFacts = 128;

    /// <summary>P_PID.</summary>
    public const int OfNumber = 1;

    /// <summary>WEXITED and WNOWAIT.</summary>
    public const int EndedAndKept = 0x4 | 0x0100_0000;

    /// <summary>The number of <c>pidfd_open</c>.</summary>
    public const int PidfdOpen = 434;

    /// <summary>SCHED_OTHER: a share by niceness.</summary>
    public const int Usual = 0;

    /// <summary>SCHED_IDLE: what nobody else wants.</summary>
    public const int Idle = 5;

    private const string Libc = "libc";

    [LibraryImport(Libc, EntryPoint = "pipe2", SetLastError = true)]
    public static partial int Pipe(int* ends, int flags);

    [LibraryImport(Libc, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Control(SafeHandle descriptor, int command, nint value);

    [LibraryImport(Libc, EntryPoint = "posix_spawn", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Spawn(
        int* id,
        string program,
        void* actions,
        void* attributes,
        byte** arguments,
        byte** environment
    );

    [LibraryImport(Libc, EntryPoint = "posix_spawn_file_actions_init")]
    public static partial int InitActions(void* actions);

    [LibraryImport(Libc, EntryPoint = "posix_spawn_file_actions_adddup2")]
    public static partial int AddDuplicate(void* actions, int from, int to);

    /// <summary>glibc 2.34 has it.</summary>
    [LibraryImport(Libc, EntryPoint = "posix_spawn_file_actions_addclosefrom_np")]
    public static partial int AddCloseFrom(void* actions, int first);

    /// <summary>glibc 2.29 has it.</summary>
    [LibraryImport(
        Libc,
        EntryPoint = "posix_spawn_file_actions_addchdir_np",
        StringMarshalling = StringMarshalling.Utf8
    )]
    public static partial int AddChangeFolder(void* actions, string folder);

    [LibraryImport(Libc, EntryPoint = "posix_spawn_file_actions_destroy")]
    public static partial int DestroyActions(void* actions);

    [LibraryImport(Libc, EntryPoint = "posix_spawnattr_init")]
    public static partial int InitAttributes(void* attributes);

    [LibraryImport(Libc, EntryPoint = "posix_spawnattr_destroy")]
    public static partial int DestroyAttributes(void* attributes);

    [LibraryImport(Libc, EntryPoint = "posix_spawnattr_setflags")]
    public static partial int SetSpawnFlags(void* attributes, short flags);

    [LibraryImport(Libc, EntryPoint = "posix_spawnattr_setsigmask")]
    public static partial int SetBlockedSignals(void* attributes, void* signals);

    [LibraryImport(Libc, EntryPoint = "posix_spawnattr_setsigdefault")]
    public static partial int SetDefaultSignals(void* attributes, void* signals);

    [LibraryImport(Libc, EntryPoint = "sigemptyset")]
    public static partial int EmptySignals(void* signals);

    [LibraryImport(Libc, EntryPoint = "sigfillset")]
    public static partial int FillSignals(void* signals);

    [LibraryImport(Libc, EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int id, int signal);

    /// <summary><c>pidfd_open</c>, which has the same number on all processors (Linux 5.3).</summary>
    [LibraryImport(Libc, EntryPoint = "syscall", SetLastError = true)]
    public static partial nint OpenProcess(nint number, nint id, nint flags);

    [LibraryImport(Libc, EntryPoint = "waitid", SetLastError = true)]
    public static partial int WaitFor(int kind, int id, void* facts, int flags);

    /// <summary>Fills a <c>struct rusage</c>.</summary>
    [LibraryImport(Libc, EntryPoint = "wait4", SetLastError = true)]
    public static partial int Wait(int id, int* status, int flags, long* usage);

    [LibraryImport(Libc, EntryPoint = "prlimit", SetLastError = true)]
    public static partial int Limit(int id, int resource, in LinuxCalls.ResourceLimit limit, void* old);

    /// <summary>Of one thread. Only real-time classes have another priority than 0.</summary>
    [LibraryImport(Libc, EntryPoint = "sched_setscheduler", SetLastError = true)]
    public static partial int SetClass(int thread, int policy, in int priority);
}
