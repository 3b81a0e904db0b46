using CamCube.Runtime.Services;

namespace CamCube.Runtime.Engine;

/// <summary>Whether services have the others that they cannot do without. Loop only.</summary>
internal static class NeedCheck
{
    /// <summary>Says of each service what no service of its server offers. A service that is there and does not run
    /// counts: it may run again. So does one of which nobody has said what class it is, until it is made.</summary>
    public static void Run(ServerRuntime server, ServiceSlot[] slots)
    {
        foreach (ServiceSlot slot in slots)
        {
            string? before = slot.Missing;
            string[] missing =
            [
                .. (slot.State == ServiceState.Stopped ? [] : slot.Needs)
                    .Where(need => !Array.Exists(slots, other => MayOffer(other, need)))
                    .Select(static need => need.Name)
                    .Distinct(StringComparer.Ordinal),
            ];
            slot.Missing = missing.Length == 0 ? null : ServiceWords.Missing(missing);
            if (slot.Missing is { } words && words != before)
            {
                server.Context.Events.ServiceMisses(server.Coordinate, slot.Definition.Name, words);
            }
        }
    }

    private static bool MayOffer(ServiceSlot slot, Type need) =>
        !slot.IsRemoved
        && (
            need.IsInstanceOfType(slot.Instance)
            || (
                slot.Definition.Implementation is { } type
                    ? need.IsAssignableFrom(type)
                    : slot.Instance is ServiceSlot.StandIn
            )
        );
}
