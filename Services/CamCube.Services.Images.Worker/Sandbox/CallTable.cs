using System.Runtime.InteropServices;

namespace CamCube.Services.Images.Worker.Sandbox;

/// <summary>
/// The system calls that the worker does without, by their numbers on x64 and Arm64; −1 where one is not there. All
/// others are allowed: a runtime needs many, and which ones changes with its version.
/// </summary>
internal static class CallTable
{
    private static readonly (int X64, int Arm64, CallRule Rule)[] Calls =
    [
        // Programs and processes: execve, execveat, fork, vfork, clone, clone3, ptrace, process_vm_readv, _writev,
        // kcmp, unshare, setns, pidfd_open, _getfd, _send_signal, process_madvise.
        (59, 221, CallRule.Refuse),
        (322, 281, CallRule.Refuse),
        (57, -1, CallRule.Refuse),
        (58, -1, CallRule.Refuse),
        (56, 220, CallRule.ThreadsOnly),
        (435, 435, CallRule.Unknown),
        (101, 117, CallRule.Refuse),
        (310, 270, CallRule.Refuse),
        (311, 271, CallRule.Refuse),
        (312, 272, CallRule.Refuse),
        (272, 97, CallRule.Refuse),
        (308, 268, CallRule.Refuse),
        (434, 434, CallRule.Refuse),
        (438, 438, CallRule.Refuse),
        (424, 424, CallRule.Refuse),
        (440, 440, CallRule.Refuse),
        // Others' signals, limits and priorities: kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo, prlimit64,
        // setpriority, sched_setscheduler, sched_setparam, sched_setattr.
        (62, 129, CallRule.SelfOnly),
        (200, 130, CallRule.Refuse),
        (234, 131, CallRule.SelfOnly),
        (129, 138, CallRule.Refuse),
        (297, 240, CallRule.SelfOnly),
        (302, 261, CallRule.SelfOnly),
        (141, 140, CallRule.Refuse),
        (144, 119, CallRule.Refuse),
        (142, 118, CallRule.Refuse),
        (314, 274, CallRule.Refuse),
        // Sockets: socket, socketpair, connect, bind, listen, accept, accept4, sendto, sendmsg, sendmmsg, recvfrom,
        // recvmsg, recvmmsg.
        (41, 198, CallRule.Refuse),
        (53, 199, CallRule.Refuse),
        (42, 203, CallRule.Refuse),
        (49, 200, CallRule.Refuse),
        (50, 201, CallRule.Refuse),
        (43, 202, CallRule.Refuse),
        (288, 242, CallRule.Refuse),
        (44, 206, CallRule.Refuse),
        (46, 211, CallRule.Refuse),
        (307, 269, CallRule.Refuse),
        (45, 207, CallRule.Refuse),
        (47, 212, CallRule.Refuse),
        (299, 243, CallRule.Refuse),
        // Opening for writing: open, openat, openat2, creat, truncate, memfd_create, open_by_handle_at,
        // name_to_handle_at.
        (2, -1, CallRule.ReadOnlyAtSecond),
        (257, 56, CallRule.ReadOnlyAtThird),
        (437, 437, CallRule.Unknown),
        (85, -1, CallRule.Refuse),
        (76, 45, CallRule.Refuse),
        (319, 279, CallRule.Refuse),
        (304, 265, CallRule.Refuse),
        (303, 264, CallRule.Refuse),
        // Names and rights of files: mknod, mkdir, rmdir, unlink, symlink, link, rename, chmod, chown, utimes, xattrs,
        // each in all its forms; chdir, chroot.
        (133, -1, CallRule.Refuse),
        (259, 33, CallRule.Refuse),
        (83, -1, CallRule.Refuse),
        (258, 34, CallRule.Refuse),
        (84, -1, CallRule.Refuse),
        (87, -1, CallRule.Refuse),
        (263, 35, CallRule.Refuse),
        (88, -1, CallRule.Refuse),
        (266, 36, CallRule.Refuse),
        (86, -1, CallRule.Refuse),
        (265, 37, CallRule.Refuse),
        (82, -1, CallRule.Refuse),
        (264, 38, CallRule.Refuse),
        (316, 276, CallRule.Refuse),
        (90, -1, CallRule.Refuse),
        (91, 52, CallRule.Refuse),
        (268, 53, CallRule.Refuse),
        (452, 452, CallRule.Refuse),
        (92, -1, CallRule.Refuse),
        (93, 55, CallRule.Refuse),
        (94, -1, CallRule.Refuse),
        (260, 54, CallRule.Refuse),
        (132, -1, CallRule.Refuse),
        (235, -1, CallRule.Refuse),
        (261, -1, CallRule.Refuse),
        (280, 88, CallRule.Refuse),
        (188, 5, CallRule.Refuse),
        (189, 6, CallRule.Refuse),
        (190, 7, CallRule.Refuse),
        (197, 14, CallRule.Refuse),
        (198, 15, CallRule.Refuse),
        (199, 16, CallRule.Refuse),
        (80, 49, CallRule.Refuse),
        (161, 51, CallRule.Refuse),
        // Rings of the kernel and memory of others: io_uring, io_setup, io_submit, System V's memory, messages and
        // semaphores, message queues, userfaultfd.
        (425, 425, CallRule.Refuse),
        (426, 426, CallRule.Refuse),
        (427, 427, CallRule.Refuse),
        (206, 0, CallRule.Refuse),
        (209, 2, CallRule.Refuse),
        (29, 194, CallRule.Refuse),
        (30, 196, CallRule.Refuse),
        (31, 195, CallRule.Refuse),
        (68, 186, CallRule.Refuse),
        (64, 190, CallRule.Refuse),
        (240, 180, CallRule.Refuse),
        (241, 181, CallRule.Refuse),
        (323, 282, CallRule.Refuse),
        // The system's own: mount and its kin, bpf, perf_event_open, keys, modules, kexec, clocks, names, ports, swap,
        // quotas, fanotify, reboot, acct.
        (165, 40, CallRule.Refuse),
        (166, 39, CallRule.Refuse),
        (155, 41, CallRule.Refuse),
        (428, 428, CallRule.Refuse),
        (429, 429, CallRule.Refuse),
        (430, 430, CallRule.Refuse),
        (431, 431, CallRule.Refuse),
        (432, 432, CallRule.Refuse),
        (433, 433, CallRule.Refuse),
        (442, 442, CallRule.Refuse),
        (321, 280, CallRule.Refuse),
        (298, 241, CallRule.Refuse),
        (248, 217, CallRule.Refuse),
        (249, 218, CallRule.Refuse),
        (250, 219, CallRule.Refuse),
        (175, 105, CallRule.Refuse),
        (313, 273, CallRule.Refuse),
        (176, 106, CallRule.Refuse),
        (246, 104, CallRule.Refuse),
        (320, 294, CallRule.Refuse),
        (164, 170, CallRule.Refuse),
        (159, 171, CallRule.Refuse),
        (305, 266, CallRule.Refuse),
        (227, 112, CallRule.Refuse),
        (170, 161, CallRule.Refuse),
        (171, 162, CallRule.Refuse),
        (172, -1, CallRule.Refuse),
        (173, -1, CallRule.Refuse),
        (167, 224, CallRule.Refuse),
        (168, 225, CallRule.Refuse),
        (179, 60, CallRule.Refuse),
        (300, 262, CallRule.Refuse),
        (169, 142, CallRule.Refuse),
        (163, 89, CallRule.Refuse),
    ];

    /// <summary>The kernel's name for this kind of processor (AUDIT_ARCH); 0 of those that have no table.</summary>
    public static uint Processor =>
        RuntimeInformation.ProcessArchitecture switch
        {
            Architecture.X64 => 0xC000_003E,
            Architecture.Arm64 => 0xC000_00B7,
            _ => 0,
        };

    /// <summary>The calls of this kind of processor.</summary>
    public static IEnumerable<(uint Number, CallRule Rule)> Here()
    {
        bool isX64 = RuntimeInformation.ProcessArchitecture == Architecture.X64;
        foreach ((int x64, int arm64, CallRule rule) in Calls)
        {
            if ((isX64 ? x64 : arm64) is >= 0 and int number)
            {
                yield return ((uint)number, rule);
            }
        }
    }
}
