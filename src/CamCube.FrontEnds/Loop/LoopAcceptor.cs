using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.FrontEnds.Connections;
using CamCube.Linux;

namespace CamCube.FrontEnds.Loop;

/// <summary>
/// The sockets that listen, in one server's loop: accepts clients, deals them out to the loops, and accepts nobody for
/// a while where there is no place or no descriptor. Loop only, except where said otherwise.
/// </summary>
/// <param name="context">What the connections share.</param>
/// <param name="ports">The sockets, owned; none in a loop that only serves.</param>
[SupportedOSPlatform("linux")]
internal sealed class LoopAcceptor(ListenerContext context, IReadOnlyList<OpenPort> ports)
{
    private const int MostAccepts = 64;
    private const long PauseLength = 1_000_000_000;
    private readonly int[] _watched = new int[ports.Count];
    private readonly Dictionary<Socket, (string Address, bool HasTls)> _ports = ports.ToDictionary(
        port => port.Socket,
        port => (ListeningSocket.Describe(port.Socket).Address, port.HasTls)
    );
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private IReadOnlyList<ConnectionLoop> _loops = [];
    private ConnectionLoop? _loop;
    private uint _dealt;
    private bool _isListening;
    private long _acceptAt = long.MaxValue;
    private volatile bool _isPaused;
    private long _pausedNanos;
    private int _hasRoom;

    /// <summary>Ends when nobody is accepted any more. Any thread.</summary>
    public Task Closed => _closed.Task;

    private IPEndPoint Endpoint => new(context.Endpoint.Address, context.Endpoint.Port);

    /// <summary>Where it is, and to whom it deals clients. Once, first.</summary>
    public void Begin(ConnectionLoop loop, IReadOnlyList<ConnectionLoop> loops) => (_loop, _loops) = (loop, loops);

    /// <summary>Listens, unless it does or has been closed.</summary>
    public void Listen()
    {
        if (_isListening)
        {
            return;
        }

        _isListening = true;
        for (int i = 0; i < ports.Count; i++)
        {
            _watched[i] = _loop!.Seat.Watch(ports[i].Socket.SafeHandle, LoopEvents.Readable, ports[i].Socket);
        }
    }

    /// <summary>Tries again where nobody was accepted for a while, if it is time or a client has ended. Returns when it
    /// wants to be asked again.</summary>
    public long Retry(long nowNanos)
    {
        if (_acceptAt <= nowNanos || (_isPaused && Interlocked.Exchange(ref _hasRoom, 0) != 0))
        {
            AcceptAgain();
        }

        return _acceptAt;
    }

    /// <summary>A client has ended, of this loop or of another. Any thread.</summary>
    public void TellOfRoom()
    {
        if (!_isPaused)
        {
            return;
        }

        Volatile.Write(ref _hasRoom, 1);
        _loop!.Seat.Wake();
    }

    /// <summary>Closes the sockets, once.</summary>
    public void Close()
    {
        if (_closed.Task.IsCompleted)
        {
            return;
        }

        try
        {
            for (int i = 0; i < ports.Count; i++)
            {
                if (_isListening)
                {
                    _loop!.Seat.Forget(ports[i].Socket.SafeHandle, _watched[i]);
                }

                ListeningSocket.Close(ports[i].Socket, context.Logger);
            }

            EndPause();
        }
        finally
        {
            // Whatever happened, it is tried once, and somebody waits for it.
            _isListening = true;
            _acceptAt = long.MaxValue;
            _closed.TrySetResult();
        }
    }

    /// <summary>Accepts who waits at a socket. False: there is no descriptor, or no place.</summary>
    public bool AcceptAll(Socket listener)
    {
        for (int i = 0; i < MostAccepts && !_closed.Task.IsCompleted; i++)
        {
            if (!context.Options.RejectOverLimit && context.Connections.Count >= context.Options.MaxConnections)
            {
                Pause();
                return false;
            }

            int error = StreamSocket.Accept(listener.SafeHandle, out DescriptorHandle client, out PeerAddress address);
            if (error == 0)
            {
                bool isShort = DescriptorRoom.IsShortAt(client.DangerousGetHandle());
                (string name, bool hasTls) = _ports[listener];
                Admit(new AcceptedClient(client, address, name, hasTls));
                if (isShort)
                {
                    if (!_isPaused)
                    {
                        ConnectionLog.FewDescriptors(context.Logger, context.Name, Endpoint);
                    }

                    Pause();
                    return false;
                }
            }
            else if (error == SystemError.Again)
            {
                return true;
            }
            else if (error is SystemError.TooManyFiles or SystemError.TooManyFilesOfSystem)
            {
                if (!_isPaused)
                {
                    ConnectionLog.AcceptFailed(
                        context.Logger,
                        context.Name,
                        Endpoint,
                        SystemError.Failure("accept4", error)
                    );
                }

                Pause();
                return false;
            }
        }

        return true;
    }

    // The end of a client helps; if others have the descriptors nothing tells, so there is a time, too.
    private void Pause()
    {
        long now = _loop!.NowNanos;
        _acceptAt = now + PauseLength;
        if (_isPaused)
        {
            return;
        }

        (_isPaused, _pausedNanos) = (true, now);
        Watch(LoopEvents.None);
        context.Counters.CountPause();
    }

    private void EndPause()
    {
        if (!_isPaused)
        {
            return;
        }

        _isPaused = false;
        context.Counters.EndPause(TimeSpan.FromMicroseconds((_loop!.NowNanos - _pausedNanos) / 1_000));
    }

    private void AcceptAgain()
    {
        _acceptAt = long.MaxValue;
        if (_closed.Task.IsCompleted)
        {
            return;
        }

        if (DescriptorRoom.IsShort())
        {
            Pause();
            return;
        }

        foreach (OpenPort port in ports)
        {
            if (!AcceptAll(port.Socket))
            {
                return;
            }
        }

        EndPause();
        Watch(LoopEvents.Readable);
    }

    private void Watch(LoopEvents events)
    {
        for (int i = 0; i < ports.Count; i++)
        {
            _loop!.Seat.Change(ports[i].Socket.SafeHandle, _watched[i], events);
        }
    }

    private void Admit(in AcceptedClient accepted)
    {
        ConnectionLoop loop = _loops[(int)(_dealt++ % (uint)_loops.Count)];
        if (loop == _loop)
        {
            loop.Begin(accepted);
        }
        else
        {
            loop.Give(accepted);
        }
    }
}
