using System.Runtime.InteropServices;

namespace CamCube.Testbed;

/// <summary>Signals to processes that cannot reach another process which got the same id meanwhile.</summary>
public static partial class ProcessSignals
{
    /// <summary>SIGKILL.</summary>
    public const int Kill = 9;

    /// <summary>SIGCONT.</summary>
    public const int Continue = 18;

    /// <summary>SIGSTOP.</summary>
    public const int Stop = 19;

    private const int PidFdSendSignal = 424;
    private const int PidFdOpen = 434;

    private static readonly (string Name, int Number)[] Names =
    [
        ("HUP", 1),
        ("INT", 2),
        ("QUIT", 3),
        ("ABRT", 6),
        ("KILL", Kill),
        ("USR1", 10),
        ("USR2", 12),
        ("TERM", 15),
        ("CONT", Continue),
        ("STOP", Stop),
    ];

    /// <summary>The names that <see cref="TryParse"/> takes.</summary>
    public static string Known => string.Join(", ", Names.Select(n => n.Name));

    /// <summary>Reads KILL, SIGKILL or 9.</summary>
    public static bool TryParse(string text, out int signal)
    {
        string name = text.StartsWith("SIG", StringComparison.OrdinalIgnoreCase) ? text[3..] : text;
        signal = Names
            .FirstOrDefault(n => n.Name.Equals(name, StringComparison.OrdinalIgnoreCase) || $"{n.Number}" == name)
            .Number;
        return signal > 0;
    }

    /// <summary>The name of a signal.</summary>
    public static string NameOf(int signal) => "SIG" + Names.First(n => n.Number == signal).Name;

    /// <summary>Sends a signal. False: the process does not run any more.</summary>
    /// <exception cref="TestbedException">Not permitted.</exception>
    public static bool Send(ProcessMark process, int signal)
    {
        // The descriptor stands for one process; after it is open, the start time says whether it is the right one.
        int descriptor = (int)SystemCall(PidFdOpen, process.Id, 0, 0, 0);
        if (descriptor < 0)
        {
            return false;
        }

        try
        {
            if (!process.IsAlive())
            {
                return false;
            }

            if (SystemCall(PidFdSendSignal, descriptor, signal, 0, 0) == 0)
            {
                return true;
            }

            const int NoSuchProcess = 3;
            int error = Marshal.GetLastPInvokeError();
            return error == NoSuchProcess
                ? false
                : throw new TestbedException(
                    $"{NameOf(signal)} to process {process.Id}: {Marshal.GetPInvokeErrorMessage(error)}."
                );
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint SystemCall(nint number, nint a, nint b, nint c, nint d);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);
}
