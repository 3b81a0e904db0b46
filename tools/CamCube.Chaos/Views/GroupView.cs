namespace CamCube.Chaos.Views;

/// <summary>A group as one server sees it (docs/key-value.md, <c>kv groups</c>).</summary>
internal sealed record GroupView(
    string Group,
    uint Epoch,
    IReadOnlyList<MemberView> Members,
    string? Leader,
    ulong Index,
    ulong Behind
);
