using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Testbed;

namespace CamCube.Experiments.Cables;

/// <summary>
/// The yardsticks of HPDC §4.2.2 and LibRIPC §5.5: round trips by blocking UDP sockets, and by TCP with a new socket
/// for each, and files by HTTP, between two namespaces that a veth cable joins as it joins two servers. Both ends are
/// threads of this process, which makes
/// switching between them no dearer than between servers' processes, each tied to a processor as the servers are.
/// Removed when it is disposed.
/// </summary>
internal sealed class SocketPings : IDisposable
{
    private const int Port = 7777,
        TimeoutMillis = 1_000;
    private readonly TestbedPlan _plan;
    private readonly IPAddress _here,
        _there;
    private readonly TestbedCable _cable;

    /// <summary>Makes the two namespaces and the cable.</summary>
    /// <param name="rateBitsPerSecond">Of the cable, in each direction; 0: as fast as the machine is.</param>
    public SocketPings(long rateBitsPerSecond = 0)
    {
        TorusShape shape = new TorusShape(1, 1, 2) with { ParallelCables = false };
        _plan = MeasuredTestbed.Plan(shape, "udp", rateBitsPerSecond, []);
        _cable = TestbedCable.Of(shape)[0];
        Dictionary<(int, Link), string> addresses = UdpCables.Addresses([_cable]);
        _here = IPAddress.Parse(addresses[(_cable.From, _cable.Link)]);
        _there = IPAddress.Parse(addresses[(_cable.To, _cable.Link.Opposite())]);
        try
        {
            using TestbedStore store = TestbedStore.Open(_plan.Name);
            var network = new TestbedNetwork(_plan);
            network.MakeNamespaces(identities =>
                store.Write(
                    new TestbedState
                    {
                        Plan = _plan,
                        Servers =
                        [
                            .. identities.Select(
                                (identity, rank) => new TestbedServer($"{shape.At(rank)}", NameOf(rank), identity, null)
                            ),
                        ],
                    }
                )
            );
            network.MakeCables();
            Processors.TieNamespace(NameOf(0), 0);
            Processors.TieNamespace(NameOf(1), 1);
        }
        catch
        {
            MeasuredTestbed.Remove(_plan.Name);
            throw;
        }
    }

    /// <summary>The address of the first end.</summary>
    public IPAddress Here => _here;

    /// <summary>The interface of an end.</summary>
    public string InterfaceOf(int rank) =>
        TestbedCable.InterfaceOf(rank == _cable.From ? _cable.Link : _cable.Link.Opposite());

    /// <summary>Round trips of datagrams, in microseconds; a lost one is infinite.</summary>
    public IReadOnlyList<double> Udp(int count, int size)
    {
        using Socket echo = UdpSocket(1, _there, _here),
            asker = UdpSocket(0, _here, _there);
        Thread thread = Start(() =>
        {
            Processors.TieThread(1);
            byte[] buffer = new byte[size];
            while (TryReceive(echo, buffer, out int length) && length > 0)
            {
                echo.Send(buffer.AsSpan(0, length));
            }
        });
        byte[] bytes = new byte[size];
        double[] micros = Measure(
            count,
            begin =>
            {
                asker.Send(bytes);
                return TryReceive(asker, bytes, out _)
                    ? Stopwatch.GetElapsedTime(begin).TotalMicroseconds
                    : double.PositiveInfinity;
            }
        );

        // An empty datagram ends the other side; if that is lost, its timeout does.
        asker.Send(ReadOnlySpan<byte>.Empty);
        thread.Join();
        return micros;
    }

    /// <summary>Round trips of as many bytes over a new connection each, its making included, in
    /// microseconds.</summary>
    public IReadOnlyList<double> Tcp(int count, int size)
    {
        using Socket listener = Listen();
        Thread thread = Start(() =>
        {
            Processors.TieThread(1);
            byte[] buffer = new byte[size];
            for (int i = 0; i < count; i++)
            {
                using Socket connection = listener.Accept();
                connection.NoDelay = true;
                Receive(connection, buffer);
                connection.Send(buffer);
            }
        });
        byte[] bytes = new byte[size];
        double[] micros = Measure(
            count,
            begin =>
            {
                using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                {
                    NoDelay = true,
                };
                socket.Connect(_there, Port);
                socket.Send(bytes);
                Receive(socket, bytes);
                return Stopwatch.GetElapsedTime(begin).TotalMicroseconds;
            }
        );
        thread.Join();
        return micros;
    }

    /// <summary>One file by HTTP/1.1 over a connection that is open already. Answers microseconds from the question to
    /// the last byte.</summary>
    public double Http(int bytes)
    {
        using Socket listener = Listen();
        byte[] question = Encoding.ASCII.GetBytes("GET /file HTTP/1.1\r\nHost: files\r\n\r\n"),
            head = Encoding.ASCII.GetBytes(
                string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\n\r\n")
            ),
            file = new byte[bytes];
        Thread thread = Start(() =>
        {
            Processors.TieThread(1);
            using Socket connection = listener.Accept();
            Receive(connection, new byte[question.Length]);
            connection.Send(head);
            for (int sent = 0; sent < bytes; )
            {
                sent += connection.Send(file.AsSpan(sent, Math.Min(1 << 16, bytes - sent)));
            }
        });
        double micros = NetworkNamespace.Inside(
            NameOf(0),
            () =>
            {
                Processors.TieThread(0);
                using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                {
                    NoDelay = true,
                };
                socket.Connect(_there, Port);
                long begin = Stopwatch.GetTimestamp();
                socket.Send(question);
                Receive(socket, new byte[head.Length]);
                Receive(socket, new byte[bytes]);
                return Stopwatch.GetElapsedTime(begin).TotalMicroseconds;
            }
        );
        thread.Join();
        return micros;
    }

    // One round trip after the other, on the first server's processor; each is told when it began.
    private double[] Measure(int count, Func<long, double> roundTrip) =>
        NetworkNamespace.Inside(
            NameOf(0),
            () =>
            {
                Processors.TieThread(0);
                double[] micros = new double[count];
                for (int i = 0; i < count; i++)
                {
                    micros[i] = roundTrip(Stopwatch.GetTimestamp());
                }

                return micros;
            }
        );

    /// <inheritdoc/>
    public void Dispose() => MeasuredTestbed.Remove(_plan.Name);

    private static bool TryReceive(Socket socket, byte[] buffer, out int length)
    {
        try
        {
            length = socket.Receive(buffer);
            return true;
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.TimedOut or SocketError.ConnectionRefused)
        {
            length = 0;
            return false;
        }
    }

    private static void Receive(Socket socket, byte[] buffer)
    {
        for (int have = 0; have < buffer.Length; )
        {
            int length = socket.Receive(buffer.AsSpan(have));
            have += length > 0 ? length : throw new IOException("The other end of a ping over TCP closed it.");
        }
    }

    private static Thread Start(Action work)
    {
        var thread = new Thread(() =>
        {
            try
            {
                work();
            }
            catch (SocketException)
            {
                // The asking side ended; what it says counts.
            }
        })
        {
            IsBackground = true,
            Name = "camcube-echo",
        };
        thread.Start();
        return thread;
    }

    private Socket Listen() =>
        NetworkNamespace.Inside(
            NameOf(1),
            () =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
                socket.Bind(new IPEndPoint(_there, Port));
                socket.Listen();
                return socket;
            }
        );

    /// <summary>The namespace of an end.</summary>
    public string NameOf(int rank) => _plan.NamespaceOf(_plan.Torus().At(rank));

    private Socket UdpSocket(int rank, IPAddress own, IPAddress other) =>
        NetworkNamespace.Inside(
            NameOf(rank),
            () =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
                {
                    ReceiveTimeout = TimeoutMillis,
                };
                socket.Bind(new IPEndPoint(own, Port));
                socket.Connect(other, Port);
                return socket;
            }
        );
}
