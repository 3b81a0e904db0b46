using System.Net.Sockets;
using CamCube.Linux;

namespace CamCube.FrontEnds.Descriptors;

/// <summary>
/// A Unix socket for programs of this machine that pass descriptors along it (shared memory). Only the owner of the
/// host's process may open it (mode 0600). Clients are served on pool threads. Linux only. Its members are called one
/// at a time.
/// </summary>
/// <param name="mostConnections">Clients at a time; others are closed at once.</param>
/// <param name="messageTime">How long a message may take to come, once it has begun or is the first.</param>
/// <param name="time">For that.</param>
/// <param name="serve">Serves a client to its end; does not throw.</param>
public sealed class DescriptorServer(
    int mostConnections,
    TimeSpan messageTime,
    TimeProvider time,
    Func<DescriptorConnection, Task> serve
)
{
    private const int Waiting = 128;
    private readonly Lock _lock = new();
    private readonly Dictionary<DescriptorConnection, Task> _clients = [];
    private Socket? _listener;
    private string _path = "";
    private Task _accepting = Task.CompletedTask;

    /// <summary>Clients that are connected now.</summary>
    public int Connected
    {
        get
        {
            lock (_lock)
            {
                return _clients.Count;
            }
        }
    }

    /// <summary>Opens the socket.</summary>
    /// <param name="path">Its file. One that a killed process has left is replaced.</param>
    /// <exception cref="FrontEndException">It cannot; in words.</exception>
    public void Start(string path)
    {
        _listener = Open(path);
        _path = path;
        _accepting = AcceptAsync(_listener);
    }

    /// <summary>Accepts nobody new.</summary>
    public async ValueTask DrainAsync()
    {
        Socket? listener;
        lock (_lock)
        {
            (listener, _listener) = (_listener, null);
        }

        if (listener is not null)
        {
            File.Delete(_path);
            listener.Dispose();
        }

        await _accepting;
    }

    /// <summary>Ends all clients, and returns when they are.</summary>
    public async ValueTask StopAsync()
    {
        await DrainAsync();
        Task[] serving;
        lock (_lock)
        {
            serving = [.. _clients.Values];
            foreach (DescriptorConnection client in _clients.Keys)
            {
                client.Dispose();
            }
        }

        await Task.WhenAll(serving);
    }

    private static Socket Open(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new FrontEndException("sockets that pass descriptors need Linux");
        }

        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            // What a killed process left behind is nobody's; a file that is no socket is somebody's.
            if (SocketFile.IsAt(path) && IsDead(path))
            {
                File.Delete(path);
            }

            socket.Bind(new UnixDomainSocketEndPoint(path));
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);

            // Nobody can connect before.
            socket.Listen(Waiting);
            return socket;
        }
        catch (Exception e)
            when (e is SocketException or IOException or ArgumentException or UnauthorizedAccessException)
        {
            socket.Dispose();
            throw new FrontEndException($"cannot listen on the Unix socket {path}: {e.Message}");
        }
    }

    private static bool IsDead(string path)
    {
        using var probe = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            probe.Connect(new UnixDomainSocketEndPoint(path));
            return false;
        }
        catch (SocketException)
        {
            return true;
        }
    }

    private async Task AcceptAsync(Socket listener)
    {
        while (true)
        {
            try
            {
                Admit(await listener.AcceptAsync());
            }
            catch (SocketException) when (listener == _listener)
            {
                // No descriptor is left, or the client went again.
                await Task.Delay(TimeSpan.FromMilliseconds(50), time);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private void Admit(Socket accepted)
    {
        lock (_lock)
        {
            if (_clients.Count >= mostConnections || _listener is null)
            {
                accepted.Dispose();
                return;
            }

            var client = new DescriptorConnection(accepted, messageTime, time);
            _clients.Add(client, Task.CompletedTask);
            _clients[client] = ServeAsync(client);
        }
    }

    private async Task ServeAsync(DescriptorConnection client)
    {
        // Not under the caller's lock.
        await Task.Yield();
        try
        {
            await serve(client);
        }
        finally
        {
            client.Dispose();
            client.Forget();
            lock (_lock)
            {
                _clients.Remove(client);
            }
        }
    }
}
