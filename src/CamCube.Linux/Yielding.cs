using System.Globalization;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>
/// Threads that have a processor only while nobody else of their session or control group wants it (SCHED_IDLE,
/// sched(7)): another thread that wakes has it at once, and does not wait for the end of their slice, as it would for
/// threads that are only nicer.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class Yielding
{
    // What comes while all are told.
    private const int Passes = 4;

    /// <summary>Whether this process may take it back of a child that is so nice: root may, and others with
    /// CAP_SYS_NICE or RLIMIT_NICE (LimitNICE of systemd). Asked of the system with a thread that ends with the
    /// question.</summary>
    /// <param name="nice">The child's niceness.</param>
    public static bool CanBeTakenBack(int nice)
    {
        bool can = false;
#pragma warning disable RS0030 // It may be of no use to anybody afterwards.
        var probe = new Thread(() =>
        {
            LinuxThread.BeNice(nice);
            can = ChildCalls.SetClass(0, ChildCalls.Idle, 0) == 0 && ChildCalls.SetClass(0, ChildCalls.Usual, 0) == 0;
        })
        {
            IsBackground = true,
            Name = "camcube-probe",
        };
#pragma warning restore RS0030
        probe.Start();
        probe.Join();
        return can;
    }

    /// <summary>Tells all threads of a process.</summary>
    /// <param name="process">A child that is not reaped.</param>
    /// <param name="yields">Whether they yield, or have their share again.</param>
    public static void Set(int process, bool yields)
    {
        // A thread has the class of the one that makes it: new ones are told, too, until there are none.
        HashSet<string> told = [];
        bool isNews = true;
        for (int i = 0; i < Passes && isNews; i++)
        {
            isNews = false;
            foreach (string thread in ThreadsOf(process))
            {
                if (told.Add(thread))
                {
                    isNews = true;
                    int id = int.Parse(Path.GetFileName(thread.AsSpan()), CultureInfo.InvariantCulture);
                    _ = ChildCalls.SetClass(id, yields ? ChildCalls.Idle : ChildCalls.Usual, 0);
                }
            }
        }
    }

    private static string[] ThreadsOf(int process)
    {
        try
        {
            return Directory.GetDirectories($"/proc/{process}/task");
        }
        catch (IOException)
        {
            // It has ended.
            return [];
        }
    }
}
