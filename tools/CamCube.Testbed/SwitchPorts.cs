using System.Globalization;
using System.Text;

namespace CamCube.Testbed;

/// <summary>What a testbed has in place of cables if its servers are at a switch: a bridge in the namespace of the
/// first server, and one port of it for each of them.</summary>
/// <param name="plan">The testbed.</param>
internal sealed class SwitchPorts(TestbedPlan plan)
{
    private const string Bridge = "br0";
    private const string Port = "eth1";
    private const int ListenPort = 7100;

    // More than all connections of a server hand over at once, so that they wait instead.
    private const int SentBytes = 4 << 20;

    // What waits in a port of the switch: a tenth of a second, and two frames of each server at least. TCP has never
    // less than that under way, so with less room most of what many send to one would be lost; with more it would only
    // wait longer. So slow ports want short frames: 27 servers' of 9,000 bytes are a second at 4 Mbit/s, and those of
    // 1,500 a sixth of one.
    private const int LeastHeldFrames = 2;
    private const int HeldPartOfSecond = 10;
    private const int EthernetHeader = 14;

    // What a connection of a server has handed to the system and the system has not sent: more would wait there instead
    // of in the server, which knows what is urgent.
    private const int LeastUnsentBytes = 16 << 10;
    private const int UnsentPartOfSecond = 100;
    private const string Unsent = "/proc/sys/net/ipv4/tcp_notsent_lowat";
    private readonly TorusShape _shape = plan.Torus();

    /// <summary>The setting of every server: where all of them are.</summary>
    public string Setting() =>
        "CamCube:Switch:Servers="
        + string.Join(',', Enumerable.Range(0, _shape.Count).Select(rank => $"{AddressOf(rank)}:{ListenPort}"));

    /// <summary>Makes them.</summary>
    public void Make()
    {
        VethCable.Make([
            .. Enumerable
                .Range(0, _shape.Count)
                .Select(rank => new VethCable(
                    new VethEnd(Hub, InsideOf(rank)),
                    new VethEnd(NameOf(rank), Port, Address: $"{AddressOf(rank)}/16"),
                    plan.Mtu
                )),
        ]);
        var bridge = new StringBuilder();
        bridge.Append(
            CultureInfo.InvariantCulture,
            $"link add {Bridge} type bridge mcast_snooping 0\nlink set {Bridge} mtu {plan.Mtu} up\n"
        );
        for (int rank = 0; rank < _shape.Count; rank++)
        {
            bridge.Append(CultureInfo.InvariantCulture, $"link set {InsideOf(rank)} master {Bridge}\n");
        }

        Programs.Batch("ip", ["-n", Hub], bridge.ToString());
        if (plan.RateBitsPerSecond == 0)
        {
            return;
        }

        long bytesPerSecond = plan.RateBitsPerSecond / 8,
            frames = (long)LeastHeldFrames * _shape.Count * (plan.Mtu + EthernetHeader),
            held = Math.Max(frames, bytesPerSecond / HeldPartOfSecond),
            unsent = Math.Max(LeastUnsentBytes, bytesPerSecond / UnsentPartOfSecond);
        Programs.Batch(
            "tc",
            ["-n", Hub],
            string.Concat(Enumerable.Range(0, _shape.Count).Select(rank => RateOf(InsideOf(rank), held)))
        );
        FewAtOnce.Do(
            Enumerable.Range(0, _shape.Count),
            rank =>
            {
                // A frame at a time, as on cables.
                Programs.Run("ip", ["-n", NameOf(rank), "link", "set", Port, "gso_max_segs", "1"]);
                Programs.Batch("tc", ["-n", NameOf(rank)], RateOf(Port, SentBytes));
                NetworkNamespace.Inside(NameOf(rank), () => Limit(unsent));
            }
        );
    }

    private string Hub => NameOf(0);

    private string NameOf(int rank) => plan.NamespaceOf(_shape.At(rank));

    private static string InsideOf(int rank) => string.Create(CultureInfo.InvariantCulture, $"port{rank}");

    private static string AddressOf(int rank) =>
        string.Create(CultureInfo.InvariantCulture, $"10.97.{(rank + 1) >> 8}.{(rank + 1) & 0xFF}");

    private static bool Limit(long unsent)
    {
        if (!File.Exists(Unsent))
        {
            return false;
        }

        using var file = new FileStream(Unsent, FileMode.Open, FileAccess.Write);
        file.Write(Encoding.ASCII.GetBytes(unsent.ToString(CultureInfo.InvariantCulture)));
        return true;
    }

    private string RateOf(string port, long held)
    {
        long burst = Math.Max(plan.BurstBytes, plan.RateBitsPerSecond / 8 / 100);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"qdisc replace dev {port} root tbf rate {plan.RateBitsPerSecond}bit burst {burst} "
                + $"limit {held + burst}\n"
        );
    }
}
