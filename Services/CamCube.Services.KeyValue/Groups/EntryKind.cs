namespace CamCube.Services.KeyValue.Groups;

/// <summary>What an entry of a group's log is.</summary>
internal enum EntryKind : byte
{
    /// <summary>A leader's own first entry: with it, all before it is committed in its ballot.</summary>
    Begin,

    /// <summary>The result of an operation.</summary>
    Operation,

    /// <summary>A member is away; its data is the member's position.</summary>
    Away,

    /// <summary>A member is back, and late; its data is the member's position.</summary>
    Back,

    /// <summary>A member is whole; its data is the member's position.</summary>
    Whole,

    /// <summary>The last entry of an epoch: the members of the next.</summary>
    Next,
}
