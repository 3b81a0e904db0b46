using System.Net;
using System.Net.Sockets;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>
/// Ranges of free ports on loopback. They lie below those that the operating system hands out and below those of the
/// system tests; each process that runs these tests locks a slice of its own, so that two of them never meet.
/// </summary>
internal static class FreePorts
{
    private const int Least = 12_000;
    private const int Slices = 4;
    private const int PerSlice = 1_500;

    private static readonly Lock _lock = new();
    private static readonly HashSet<int> _leased = [];
    private static readonly int _slice = LockSlice(out _file);
    private static readonly FileStream _file;

    /// <summary>First port of a range of which all are free now; nobody else gets them until <see cref="Return"/>.</summary>
    public static int Take(int count)
    {
        int least = Least + (_slice * PerSlice);
        lock (_lock)
        {
            for (int first = least; first + count <= least + PerSlice; first++)
            {
                int[] range = [.. Enumerable.Range(first, count)];
                if (!range.Any(_leased.Contains) && range.All(IsFree))
                {
                    _leased.UnionWith(range);
                    return first;
                }
            }
        }

        throw new InvalidOperationException($"No {count} free ports in a row from {least} on ({_file.Name}).");
    }

    /// <summary>Others may have the range.</summary>
    public static void Return(int first, int count)
    {
        lock (_lock)
        {
            _leased.ExceptWith(Enumerable.Range(first, count));
        }
    }

    public static bool IsFree(int port)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
            socket.Listen(1);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static int LockSlice(out FileStream file)
    {
        for (int slice = 0; slice < Slices; slice++)
        {
            try
            {
                // The lock ends with the process, however it ends.
                string name = Path.Combine(Path.GetTempPath(), $"camcube-hosting-tests-ports-{slice}");
                file = new FileStream(name, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
                return slice;
            }
            catch (IOException)
            {
                // Another run of these tests has it.
            }
        }

        throw new InvalidOperationException($"{Slices} runs of these tests at once are enough.");
    }
}
