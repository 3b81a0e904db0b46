namespace CamCube.Runtime.Tests.Extended;

/// <summary>Key sets in one expression, for F of tests.</summary>
internal static class Keys
{
    public static KeySet Base => default;

    public static KeySet Here => new(KeySetKind.Here);

    public static KeySet AnyOf() => default;

    public static KeySet AllOf() => new(KeySetKind.AllOf);

    public static KeySet AnyOf(Destination key)
    {
        KeySet keys = default;
        keys.Add(key);
        return keys;
    }

    public static KeySet Neighbours(in RoutingPoint at, LinkSet links)
    {
        KeySet keys = default;
        at.AddNeighbours(links, ref keys);
        return keys;
    }
}
