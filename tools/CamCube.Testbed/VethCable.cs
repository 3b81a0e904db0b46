using System.Globalization;
using System.Text;

namespace CamCube.Testbed;

/// <summary>A cable between two network namespaces: a pair of veth interfaces. It goes with either namespace.</summary>
/// <param name="One">One end.</param>
/// <param name="Other">The other end.</param>
/// <param name="Mtu">Largest IP packet in bytes; a frame has 14 more.</param>
public readonly record struct VethCable(VethEnd One, VethEnd Other, int Mtu)
{
    /// <summary>Makes cables, and sets all their ends and the namespaces' loopback up.</summary>
    /// <exception cref="TestbedException">One cannot be made; those before it are there.</exception>
    public static void Make(IReadOnlyList<VethCable> cables)
    {
        var pairs = new StringBuilder();
        foreach (VethCable cable in cables)
        {
            pairs.Append(
                CultureInfo.InvariantCulture,
                $"link add {cable.Text(cable.One)} type veth peer name {cable.Text(cable.Other)}\n"
            );
        }

        Programs.Batch("ip", [], pairs.ToString());
        IGrouping<string, VethEnd>[] spaces =
        [
            .. cables.SelectMany(cable => new[] { cable.One, cable.Other }).GroupBy(end => end.Namespace),
        ];
        FewAtOnce.Do(
            spaces,
            ends =>
            {
                var inside = new StringBuilder("link set lo up\n");
                foreach (VethEnd end in ends)
                {
                    inside.Append(end.Address is null ? "" : $"addr add {end.Address} dev {end.Port}\n");
                    inside.Append(CultureInfo.InvariantCulture, $"link set {end.Port} up\n");
                }

                Programs.Batch("ip", ["-n", ends.Key], inside.ToString());
            }
        );
    }

    private string Text(VethEnd end) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{end.Port} netns {end.Namespace} {(end.Ethernet is null ? "" : $"address {end.Ethernet} ")}mtu {Mtu}"
        );
}
