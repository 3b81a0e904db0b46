namespace CamCube.Services.Collectives.Wire;

/// <summary>What a message asks for. The numbers are in the wire format.</summary>
public enum CollectivesKind : byte
{
    /// <summary>Of a stream, or nothing.</summary>
    None = 0,

    /// <summary>To a member: take part in a measurement.</summary>
    Measure = 1,
}
