using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Testbed;

namespace CamCube.Experiments.Cables;

/// <summary>
/// The yardsticks of HPDC §4.2.2 and LibRIPC §5.5: round trips by blocking UDP sockets and by TCP, and files by HTTP,
/// between two network namespaces. Both ends are threads of this process, which makes switching between them no dearer
/// than between servers' processes, each tied to a processor as the servers are.
/// </summary>
/// <param name="from">Namespace of the end that asks.</param>
/// <param name="here">Its address.</param>
/// <param name="to">Namespace of the end that answers.</param>
/// <param name="there">Its address.</param>
internal sealed class SocketPair(string from, IPAddress here, string to, IPAddress there)
{
    private const int Port = 7777,
        TimeoutMillis = 1_000;

    /// <summary>Round trips of datagrams, in microseconds; a lost one is infinite.</summary>
    public IReadOnlyList<double> Udp(int count, int size)
    {
        using Socket echo = UdpSocket(to, there, here),
            asker = UdpSocket(from, here, there);
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
                socket.Connect(there, Port);
                socket.Send(bytes);
                Receive(socket, bytes);
                return Stopwatch.GetElapsedTime(begin).TotalMicroseconds;
            }
        );
        thread.Join();
        return micros;
    }

    /// <summary>Round trips of as many bytes over one connection that is open already, in microseconds.</summary>
    public IReadOnlyList<double> OpenTcp(int count, int size)
    {
        using Socket listener = Listen();
        Thread thread = Start(() =>
        {
            Processors.TieThread(1);
            byte[] buffer = new byte[size];
            using Socket connection = listener.Accept();
            connection.NoDelay = true;
            for (int i = 0; i < count; i++)
            {
                Receive(connection, buffer);
                connection.Send(buffer);
            }
        });
        byte[] bytes = new byte[size];
        using Socket socket = NetworkNamespace.Inside(
            from,
            static () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
        );
        socket.Connect(there, Port);
        double[] micros = Measure(
            count,
            begin =>
            {
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
            from,
            () =>
            {
                Processors.TieThread(0);
                using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                {
                    NoDelay = true,
                };
                socket.Connect(there, Port);
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
            from,
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
            to,
            () =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
                socket.Bind(new IPEndPoint(there, Port));
                socket.Listen();
                return socket;
            }
        );

    private Socket UdpSocket(string place, IPAddress own, IPAddress other) =>
        NetworkNamespace.Inside(
            place,
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
