using System.Net;
using System.Net.Sockets;

namespace CamCube.Testing;

/// <summary>
/// Ports on loopback that no other process which asks here gets while this one lives: that a port is free says nothing
/// of the moment in which it is used. All lie below those that the operating system hands out. Any thread.
/// </summary>
internal sealed class PortSlice
{
    // The lock ends with the process, however it ends.
    private readonly FileStream _lock;
    private int _next;

    private PortSlice(FileStream file, int first, int count) =>
        (_lock, First, Count, _next) = (file, first, count, first);

    /// <summary>The first port.</summary>
    public int First { get; }

    /// <summary>How many there are.</summary>
    public int Count { get; }

    /// <summary>What a message says of it.</summary>
    public override string ToString() => $"ports {First} to {First + Count - 1} ({_lock.Name})";

    /// <summary>Takes a slice of a range for as long as this process lives.</summary>
    /// <param name="name">Whose range it is; one range, one name.</param>
    /// <param name="first">First port of the range.</param>
    /// <param name="slices">Processes that may have one at once.</param>
    /// <param name="count">Ports of a slice.</param>
    /// <exception cref="InvalidOperationException">All are taken.</exception>
    public static PortSlice Take(string name, int first, int slices, int count)
    {
        for (int slice = 0; slice < slices; slice++)
        {
            try
            {
                string path = Path.Combine(Path.GetTempPath(), $"camcube-{name}-ports-{slice}");
                var file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
                return new PortSlice(file, first + (slice * count), count);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Another run of these tests has it, maybe of another user.
            }
        }

        throw new InvalidOperationException($"{slices} runs of these tests at once are enough.");
    }

    /// <summary>The first of so many consecutive ports that are free now: no other test gets them before all the others
    /// have been given out.
    /// </summary>
    public int Next(int count = 1)
    {
        lock (_lock)
        {
            for (int attempt = 0; attempt < 100; attempt++)
            {
                int first = _next + count <= First + Count ? _next : First;
                _next = first + count;
                if (Enumerable.Range(first, count).All(IsFree))
                {
                    return first;
                }
            }
        }

        throw new InvalidOperationException($"No {count} free ports in a row of {this}.");
    }

    /// <summary>Whether nobody listens at a port now.</summary>
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
}
