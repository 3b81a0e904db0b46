using System.Globalization;
using System.Text;

namespace CamCube.Testbed;

/// <summary>Makes and changes the namespaces and cables of a testbed with <c>ip</c> and <c>tc</c>, many orders per
/// call.</summary>
public sealed class TestbedNetwork(TestbedPlan plan)
{
    /// <summary>Bytes that a rate limit holds back before it throws away: more than a socket buffers, so that senders
    /// wait instead.</summary>
    private const int HeldBytes = 4 * 1024 * 1024;

    private readonly TorusShape _shape = plan.Torus();

    /// <summary>What this machine lacks for a testbed, as the end of "the testbed ..."; null: nothing.</summary>
    public static string? Missing() =>
        !OperatingSystem.IsLinux() ? "needs Linux: its servers are cabled with network namespaces"
        : !Environment.IsPrivilegedProcess ? "needs root: it makes network namespaces; try sudo"
        : !IsInPath("ip") || !IsInPath("tc") ? "needs the programs ip and tc (iproute2): apt-get install iproute2"
        : null;

    /// <summary>Checks that this machine can have a testbed.</summary>
    /// <exception cref="TestbedException">It cannot; the line says what is missing.</exception>
    public static void CheckMachine()
    {
        if (Missing() is { } missing)
        {
            throw new TestbedException($"the testbed {missing}.");
        }
    }

    /// <summary>Makes a namespace per server (<see cref="NetworkNamespaces.Make"/>).</summary>
    /// <param name="made">Gets the identities by rank.</param>
    public void MakeNamespaces(Action<IReadOnlyList<string>> made) =>
        NetworkNamespaces.Make(
            [.. Enumerable.Range(0, _shape.Count).Select(rank => plan.NamespaceOf(_shape.At(rank)))],
            made
        );

    /// <summary>Makes all cables, or ports of the bridge, and sets every interface up.</summary>
    public void MakeCables()
    {
        if (plan.IsSwitched)
        {
            new SwitchPorts(plan).Make();
            return;
        }

        IReadOnlyList<TestbedCable> cables = TestbedCable.Of(_shape);
        Dictionary<(int Rank, Link Link), string> addresses = plan.Shim == "udp" ? UdpCables.Addresses(cables) : [];
        VethCable.Make([
            .. cables.Select(cable => new VethCable(
                End(cable.From, cable.Link),
                End(cable.To, cable.Link.Opposite()),
                plan.Mtu
            )),
        ]);
        if (plan.RateBitsPerSecond > 0)
        {
            FewAtOnce.Do(
                Enumerable.Range(0, _shape.Count),
                rank =>
                {
                    var rates = new StringBuilder();
                    foreach (Link link in _shape.CabledLinks(_shape.At(rank)))
                    {
                        rates.Append(CultureInfo.InvariantCulture, $"{Rate(link)}\n");
                    }

                    Programs.Batch("tc", ["-n", plan.NamespaceOf(_shape.At(rank))], rates.ToString());
                }
            );
        }

        VethEnd End(int rank, Link link) =>
            new(
                plan.NamespaceOf(_shape.At(rank)),
                TestbedCable.InterfaceOf(link),
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"02:cc:{rank >> 8:x2}:{rank & 0xFF:x2}:00:{(int)link + 1:x2}"
                ),
                addresses.TryGetValue((rank, link), out string? address) ? $"{address}/31" : null
            );
    }

    /// <summary>From now on new interfaces in the namespaces have IPv6, as the cards of the tunnel are to; the cables
    /// that are there stay without.</summary>
    public void AllowIPv6OfCards()
    {
        for (int rank = 0; rank < _shape.Count; rank++)
        {
            NetworkNamespaces.AllowIPv6OfNewInterfaces(plan.NamespaceOf(_shape.At(rank)));
        }
    }

    /// <summary>Cuts a cable.</summary>
    public void Cut(int rank, Link link, CutKind how)
    {
        switch (how)
        {
            case CutKind.Pulled:
                Programs.Run(
                    "ip",
                    ["-n", plan.NamespaceOf(_shape.At(rank)), "link", "set", TestbedCable.InterfaceOf(link), "down"]
                );
                break;
            case CutKind.OneWay:
                ThrowAway(rank, link);
                break;
            default:
                ThrowAway(rank, link);
                ThrowAway(_shape.RankOf(_shape.Step(_shape.At(rank), link)), link.Opposite());
                break;
        }
    }

    /// <summary>Undoes every kind of cut of a cable.</summary>
    public void Mend(int rank, Link link)
    {
        int other = _shape.RankOf(_shape.Step(_shape.At(rank), link));
        foreach ((int end, Link at) in new[] { (rank, link), (other, link.Opposite()) })
        {
            string name = plan.NamespaceOf(_shape.At(end)),
                port = TestbedCable.InterfaceOf(at);
            Programs.Run("ip", ["-n", name, "link", "set", port, "up"]);
            if (plan.RateBitsPerSecond > 0)
            {
                Programs.Run("tc", ["-n", name, .. Rate(at).Split(' ')]);
            }
            else
            {
                // Fails if there is nothing to delete, which is what is wanted.
                Programs.Try("tc", ["-n", name, "qdisc", "del", "dev", port, "root"]);
            }
        }
    }

    private static bool IsInPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Any(folder => File.Exists(Path.Combine(folder, program)));

    private void ThrowAway(int rank, Link link) =>
        Programs.Run(
            "tc",
            [
                "-n",
                plan.NamespaceOf(_shape.At(rank)),
                "qdisc",
                "replace",
                "dev",
                TestbedCable.InterfaceOf(link),
                "root",
                "blackhole",
            ]
        );

    private string Rate(Link link)
    {
        long burst = Math.Max(plan.BurstBytes, plan.RateBitsPerSecond / 8 / 100);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"qdisc replace dev {TestbedCable.InterfaceOf(link)} root tbf rate {plan.RateBitsPerSecond}bit burst "
                + $"{burst} limit {HeldBytes + burst}"
        );
    }
}
