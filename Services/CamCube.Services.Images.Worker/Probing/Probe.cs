using System.Runtime.InteropServices;
using CamCube.Services.Images.Worker.Sandbox;

namespace CamCube.Services.Images.Worker.Probing;

/// <summary>Tries, from a thread of each kind that .NET has here, what the sandbox must refuse, and says what came of
/// it.</summary>
internal static unsafe class Probe
{
    private const int ReadOnly = 0;
    private const int Create = 0x40 | 1;
    private const int LocalFamily = 1;
    private const int NetFamily = 2;
    private const int Stream = 1;

    /// <summary>One line for each thread and thing that was tried: thread, thing, and <c>refused</c> or
    /// <c>ALLOWED</c>.</summary>
    public static IReadOnlyList<string> Run()
    {
        List<string> lines = [];
        Try("main", lines);
        Thread thread = new(() => Try("thread", lines));
        thread.Start();
        thread.Join();
        Task.Run(() => Try("pool", lines)).Wait();
        OnFinalizer(lines);
        OnTimer(lines);
        LibraryProbe.Try(lines);
        return lines;
    }

    private static void Try(string thread, List<string> lines)
    {
        lines.Add($"{thread} read-file {Said(SystemCalls.Open("/etc/passwd", ReadOnly, 0))}");
        lines.Add($"{thread} write-file {Said(SystemCalls.Open("/tmp/camcube-worker-probe", Create, 0x180))}");
        lines.Add($"{thread} list-folder {Said(SystemCalls.Open("/", ReadOnly, 0))}");
        lines.Add($"{thread} socket {Said(CallOf(41, 198, NetFamily, Stream))}");
        lines.Add($"{thread} local-socket {Said(CallOf(41, 198, LocalFamily, Stream))}");
        lines.Add($"{thread} fork {Said(Fork())}");
        byte** none = stackalloc byte*[1];
        none[0] = null;
        lines.Add($"{thread} execute {Said(SystemCalls.Execute("/bin/true", none, none))}");
        lines.Add($"{thread} signal-parent {Said(SystemCalls.Kill(SystemCalls.Parent(), 0))}");
        lines.Add($"{thread} trace {Said(CallOf(101, 117))}");
        lines.Add($"{thread} ring {Said(CallOf(425, 425))}");
    }

    /// <summary>A child that should not be is gone at once.</summary>
    private static int Fork()
    {
        int id = SystemCalls.Fork();
        if (id == 0)
        {
            _ = SystemCalls.Kill(Environment.ProcessId, 9);
        }

        return id;
    }

    /// <summary>A call by its number, as the C library's own would be.</summary>
    private static int CallOf(int x64, int arm64, int one = 0, int two = 0)
    {
        int number = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? x64 : arm64;
        return (int)SystemCalls.Call(number, one, two, 0, 0);
    }

    private static string Said(int result) => result < 0 ? "refused" : "ALLOWED";

    private static void OnFinalizer(List<string> lines)
    {
        Leave(lines);
        GC.Collect();
        GC.WaitForPendingFinalizers();

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static void Leave(List<string> lines) => _ = new Finalized(lines);
    }

    private static void OnTimer(List<string> lines)
    {
        using ManualResetEventSlim done = new();
        using Timer timer = new(
            _ =>
            {
                Try("timer", lines);
                done.Set();
            },
            null,
            0,
            Timeout.Infinite
        );
        done.Wait();
    }

    private sealed class Finalized(List<string> lines)
    {
        ~Finalized() => Try("finalizer", lines);
    }
}
