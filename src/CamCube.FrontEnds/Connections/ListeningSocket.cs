using System.Net;
using System.Net.Sockets;
using CamCube.FrontEnds.Protocols;
using CamCube.FrontEnds.Settings;
using CamCube.Linux;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Connections;

/// <summary>Opens the sockets of a front end.</summary>
internal static class ListeningSocket
{
    private const string WithoutTls = "notls:";

    /// <summary>Opens all that the options ask for, or none.</summary>
    /// <exception cref="FrontEndException">One cannot be opened.</exception>
    public static IReadOnlyList<OpenPort> OpenAll(ListenerContext context)
    {
        ConnectionOptions options = context.Options;
        var ports = new List<OpenPort>();
        try
        {
            if (options.UnixSocket.Length > 0)
            {
                ports.Add(new OpenPort(OpenUnix(options), HasTls: false));
            }

            if (options.Tcp)
            {
                ports.Add(new OpenPort(OpenTcp(context.Endpoint, options.Backlog), options.Tls));
            }

            foreach (string address in Words(options.MoreAddresses))
            {
                bool isPlain = address.StartsWith(WithoutTls, StringComparison.Ordinal);
                if (isPlain && !options.Tls)
                {
                    throw new FrontEndException($"'{address}' in MoreAddresses: {WithoutTls} is valid only with Tls");
                }

                FrontEndEndpoint endpoint = EndpointOf(
                    isPlain ? address[WithoutTls.Length..] : address,
                    context.Endpoint.Port
                );
                ports.Add(new OpenPort(OpenTcp(endpoint, options.Backlog), options.Tls && !isPlain));
            }

            return ports;
        }
        catch
        {
            foreach (OpenPort port in ports)
            {
                Close(port.Socket, context.Logger);
            }

            throw;
        }
    }

    /// <summary>Closes a socket; a Unix socket's file goes, too, or a warning says why it stays.</summary>
    public static void Close(Socket socket, ILogger logger)
    {
        string? file = null;
        try
        {
            file = (socket.LocalEndPoint as UnixDomainSocketEndPoint)?.ToString();
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // It was never bound.
        }

        socket.Dispose();
        if (file is not { Length: > 0 })
        {
            return;
        }

        try
        {
            File.Delete(file);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Its folder is gone, or belongs to somebody else. The next server takes the file for what it is.
            ConnectionLog.SocketFileStays(logger, file, error.Message);
        }
    }

    /// <summary>The number of the first port that has one; 0 if none has.</summary>
    public static int PortOf(IEnumerable<OpenPort> ports) =>
        ports.Select(port => port.Socket.LocalEndPoint).OfType<IPEndPoint>().FirstOrDefault()?.Port ?? 0;

    /// <summary>What is known of a socket that listens.</summary>
    public static ConnectionFacts Describe(Socket socket)
    {
        string address = socket.LocalEndPoint switch
        {
            IPEndPoint end => TextOf(end),
            UnixDomainSocketEndPoint end => $"unix:{end}",
            _ => "<null>",
        };
        return new ConnectionFacts(socket.SafeHandle.DangerousGetHandle(), address, "", ConnectionState.Listening, 0);
    }

    /// <summary>An address with the kind of its socket before it.</summary>
    public static string TextOf(IPEndPoint end) =>
        end.AddressFamily == AddressFamily.InterNetworkV6 ? $"tcp6:{end}" : $"tcp:{end}";

    private static string[] Words(string list) =>
        list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    private static FrontEndEndpoint EndpointOf(string text, int port)
    {
        if (IPAddress.TryParse(text, out IPAddress? address))
        {
            return new FrontEndEndpoint(address, port);
        }

        return IPEndPoint.TryParse(text, out IPEndPoint? end)
            ? new FrontEndEndpoint(end.Address, end.Port)
            : throw new FrontEndException(
                $"'{text}' in MoreAddresses is no address; allowed are 10.0.0.1, 10.0.0.1:11212, [::1]:11212"
            );
    }

    private static Socket OpenTcp(FrontEndEndpoint endpoint, int backlog)
    {
        (IPAddress address, int port) = endpoint;
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            // .NET binds with SO_REUSEADDR on Unix, so the dead connections of a killed process do not matter, and a
            // living listener does. Setting ReuseAddress here would add SO_REUSEPORT: two processes would share the
            // port unseen.
            socket.Bind(new IPEndPoint(address, port));
            socket.Listen(backlog);
            return socket;
        }
        catch (SocketException error)
        {
            socket.Dispose();
            throw ToFrontEndException(error, address, port);
        }
    }

    private static Socket OpenUnix(ConnectionOptions options)
    {
        string path = options.UnixSocket;
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            // What a killed process left behind is nobody's; a file that is no socket is somebody's.
            if (Path.Exists(path))
            {
                if (OperatingSystem.IsLinux() && !SocketFile.IsAt(path))
                {
                    throw new IOException("a file is there that is no socket");
                }

                if (IsDead(path))
                {
                    File.Delete(path);
                }
            }

            socket.Bind(new UnixDomainSocketEndPoint(path));
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(path, (UnixFileMode)Convert.ToInt32(options.UnixSocketMode, 8));
            }

            socket.Listen(options.Backlog);
            return socket;
        }
        catch (Exception error)
            when (error is SocketException or IOException or ArgumentException or UnauthorizedAccessException)
        {
            socket.Dispose();
            bool isInUse = error is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse };
            throw new FrontEndException(
                isInUse
                    ? $"the Unix socket {path} is taken by another process"
                    : $"cannot listen on the Unix socket {path}: {error.Message}",
                isPortInUse: false,
                error
            );
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
        catch (SocketException error)
        {
            return error.SocketErrorCode == SocketError.ConnectionRefused;
        }
    }

    private static FrontEndException ToFrontEndException(SocketException error, IPAddress address, int port) =>
        error.SocketErrorCode switch
        {
            SocketError.AddressAlreadyInUse => new FrontEndException(
                $"port {port} on {address} is taken by another process",
                isPortInUse: true,
                error
            ),
            SocketError.AddressNotAvailable => new FrontEndException(
                $"{address} is not an address of this machine",
                isPortInUse: false,
                error
            ),
            SocketError.AccessDenied => new FrontEndException(
                $"port {port} on {address} needs more rights: use a port above 1023",
                isPortInUse: false,
                error
            ),
            _ => new FrontEndException(
                $"cannot listen on port {port} of {address}: {error.SocketErrorCode}",
                isPortInUse: false,
                error
            ),
        };
}
