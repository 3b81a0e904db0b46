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

    // What waits in a port of the switch: a tenth of a second, and some frames of each of many senders at least, as
    // otherwise most of what they send to one server would be lost.
    private const int LeastHeldBytes = 512 << 10;
    private const int HeldPartOfSecond = 10;
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

        long held = Math.Max(LeastHeldBytes, plan.RateBitsPerSecond / 8 / HeldPartOfSecond);
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
            }
        );
    }

    private string Hub => NameOf(0);

    private string NameOf(int rank) => plan.NamespaceOf(_shape.At(rank));

    private static string InsideOf(int rank) => string.Create(CultureInfo.InvariantCulture, $"port{rank}");

    private static string AddressOf(int rank) =>
        string.Create(CultureInfo.InvariantCulture, $"10.97.{(rank + 1) >> 8}.{(rank + 1) & 0xFF}");

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
