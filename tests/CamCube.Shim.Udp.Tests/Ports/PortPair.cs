using System.Globalization;
using System.Net;
using CamCube.Cables;
using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Ports;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>The ports of two servers in a ring of two, over loopback, driven by the test's thread; time is the
/// test's.</summary>
internal sealed class PortPair : IDisposable
{
    public const long Millisecond = 1_000_000;

    // Below those that the system hands out to whoever names none: a stranger of the test itself had got one.
    private static int _nextPort = 20_000 + (Environment.ProcessId % 8_000);
    private readonly Dictionary<string, string>[] _settings =
    [
        [],
        [],
    ];

    /// <summary>Ports of servers 0 and 1, opened.</summary>
    /// <param name="local">Local addresses of the two.</param>
    /// <param name="settings">Further settings of both.</param>
    /// <param name="hosts">What each calls the other; null: the address.</param>
    public PortPair(string[] local, (string Name, string Value)[]? settings = null, string[]? hosts = null)
    {
        int basePort = Interlocked.Add(ref _nextPort, 8);
        BasePort = basePort;
        for (int i = 0; i < 2; i++)
        {
            string other = hosts?[i] ?? (local[1 - i].Contains(':') ? $"[{local[1 - i]}]" : local[1 - i]);

            // Both may have the same address, so their ports differ.
            int ours = basePort + (i * 1_000),
                theirs = basePort + ((1 - i) * 1_000);
            _settings[i] = new(StringComparer.OrdinalIgnoreCase)
            {
                ["ClusterKey"] = UdpCubes.Key,
                ["BindAddress"] = local[i],
                ["BasePort"] = ours.ToString(CultureInfo.InvariantCulture),
                ["Neighbours:+x"] = string.Create(CultureInfo.InvariantCulture, $"{other}:{theirs + 1}"),
                ["Neighbours:mx"] = string.Create(CultureInfo.InvariantCulture, $"{other}:{theirs}"),
                ["SocketBuffer"] = "8388608",
            };
            foreach ((string name, string value) in settings ?? [])
            {
                _settings[i][name] = value;
            }
        }
    }

    public int BasePort { get; }

    public UdpPorts[] Ports { get; } = new UdpPorts[2];

    public PortLog[] Logs { get; } = [new(), new()];

    public List<LinkNews>[] News { get; } =
    [
        [],
        [],
    ];

    public long Now { get; set; }

    public NameResolver Resolve { get; set; } =
        static _ => Task.FromException<IPAddress[]>(new NotSupportedException());

    public Dictionary<string, string> Settings(int server) => _settings[server];

    /// <summary>A new process of server 0 or 1.</summary>
    public UdpPorts Open(int server)
    {
        Ports[server]?.Close();
        UdpOptions options = UdpOptions.Read(_settings[server]);
        var shape = new TorusShape(2, 1, 1);
        return Ports[server] = UdpPorts.Open(
            options,
            NeighbourPlan.For(shape, shape.At(server), options),
            host => Resolve(host),
            System.Security.Cryptography.RandomNumberGenerator.Fill,
            News[server].Add
        );
    }

    /// <summary>Rounds of both servers, each a millisecond, until it is so.</summary>
    public void Until(Func<bool> condition, string what, int most = 20_000)
    {
        for (int i = 0; !condition(); i++)
        {
            Assert.True(i < most, $"{what}: {string.Join("; ", News.SelectMany(n => n))}");
            Round();
        }
    }

    public void Round()
    {
        Now += Millisecond;
        for (int i = 0; i < 2; i++)
        {
            if (Ports[i] is { } ports)
            {
                // Loopback delivers before it returns, so nothing has to be waited for.
                ports.Receive(Logs[i], 64, Now);
                ports.Flush(Logs[i], Now);
            }
        }
    }

    public bool Send(int server, int port, byte value, int length)
    {
        CablePorts ports = Ports[server];
        if (ports.Room(port) == 0)
        {
            return false;
        }

        ports.Rent(port)[..length].Fill(value);
        ports.Send(port, length);
        return true;
    }

    /// <summary>Frames go through in both directions on both cables.</summary>
    public void Talk()
    {
        foreach (PortLog log in Logs)
        {
            log.Frames.Clear();
        }

        Until(
            () =>
            {
                for (int i = 0; i < 4; i++)
                {
                    Send(i / 2, i % 2, 1, 100);
                }

                return Logs.All(log => log.Frames.Select(f => f.Port).Distinct().Count() == 2);
            },
            "no frames"
        );
        Round();
        Round();
    }

    public void Dispose()
    {
        foreach (UdpPorts? ports in Ports)
        {
            ports?.Close();
        }
    }
}
