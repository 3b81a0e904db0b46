using System.Globalization;
using System.Runtime.InteropServices;

namespace CamCube.Testbed;

/// <summary>
/// Ties threads, and the kernel's work for what arrives, to processors. Two machines do not share a processor; left
/// alone, two processes that talk in turns sometimes do, and each then finds it awake. Linux.
/// </summary>
public static partial class Processors
{
    private const int MostProcessors = 1_024;

    // Those that this process may use: in a container not always 0, 1, ...
    private static readonly int[] Allowed = ReadAllowed();

    /// <summary>Ties the calling thread. It cannot be a thread of the pool, which others use later.</summary>
    /// <param name="place">Which processor, by number among those that may be used; beyond the last it begins
    /// again.</param>
    public static void TieThread(int place) => Tie(0, place);

    /// <summary>Ties all threads of a process, and so those that they start later.</summary>
    /// <param name="process">The process.</param>
    /// <param name="place">As for <see cref="TieThread"/>.</param>
    public static void TieProcess(int process, int place)
    {
        // A thread that starts another while this goes on is seen in the next round.
        HashSet<int> tied = [];
        for (int before = -1; tied.Count > before; )
        {
            before = tied.Count;
            foreach (string folder in Directory.EnumerateDirectories($"/proc/{process}/task"))
            {
                int thread = int.Parse(Path.GetFileName(folder), CultureInfo.InvariantCulture);
                if (tied.Add(thread))
                {
                    Tie(thread, place);
                }
            }
        }
    }

    /// <summary>Lets a namespace's kernel take frames on one processor, as another machine's kernel does. Left alone,
    /// the sender's processor does the receiver's work: a handshake of TCP costs no wake-up then.</summary>
    /// <param name="name">The namespace; the interfaces that it has now.</param>
    /// <param name="place">As for <see cref="TieThread"/>.</param>
    public static void TieNamespace(string name, int place)
    {
        // A set of processors for sysfs: words of 32 bits in hexadecimal digits, the highest first.
        int processor = Allowed[place % Allowed.Length];
        string mask = string.Create(
            CultureInfo.InvariantCulture,
            $"{1u << (processor % 32):x}{string.Concat(Enumerable.Repeat(",00000000", processor / 32))}"
        );
        Programs.Run(
            "ip",
            [
                "netns",
                "exec",
                name,
                "sh",
                "-c",
                $"for q in /sys/class/net/*/queues/rx-*/rps_cpus; do echo {mask} > $q; done",
            ]
        );
    }

    private static void Tie(int thread, int place)
    {
        Span<byte> mask = stackalloc byte[MostProcessors / 8];
        mask.Clear();
        int processor = Allowed[place % Allowed.Length];
        mask[processor / 8] = (byte)(1 << (processor % 8));
        const int NoSuchThread = 3;
        if (
            SetAffinity(thread, mask.Length, mask) != 0
            && Marshal.GetLastPInvokeError() is var error and not NoSuchThread
        )
        {
            throw new TestbedException(
                $"a thread cannot be tied to processor {processor}: {Marshal.GetPInvokeErrorMessage(error)}."
            );
        }
    }

    private static int[] ReadAllowed()
    {
        Span<byte> mask = stackalloc byte[MostProcessors / 8];
        mask.Clear();
        int bytes = GetAffinity(0, mask.Length, mask);
        List<int> allowed = [];
        for (int i = 0; i < mask.Length * 8; i++)
        {
            if ((mask[i / 8] >> (i % 8) & 1) != 0)
            {
                allowed.Add(i);
            }
        }

        return bytes < 0 || allowed.Count == 0 ? [0] : [.. allowed];
    }

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nint size, ReadOnlySpan<byte> mask);

    [LibraryImport("libc", EntryPoint = "sched_getaffinity", SetLastError = true)]
    private static partial int GetAffinity(int thread, nint size, Span<byte> mask);
}
