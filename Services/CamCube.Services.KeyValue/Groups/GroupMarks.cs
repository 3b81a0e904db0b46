namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// What entries say of the members of an epoch, one bit each, in their order. A member is whole (has everything), late
/// (has the log and the list of keys, lacks values) or away (nothing is applied later for its sake).
/// </summary>
/// <param name="Away">Members that are away.</param>
/// <param name="Whole">Members that are whole; those in neither are late.</param>
internal readonly record struct GroupMarks(byte Away, byte Whole)
{
    /// <summary>Whether a member is away.</summary>
    public bool IsAway(int member) => (Away >> member & 1) != 0;

    /// <summary>Whether a member is whole.</summary>
    public bool IsWhole(int member) => (Whole >> member & 1) != 0;

    /// <summary>The marks after an entry.</summary>
    public GroupMarks After(in GroupEntry entry)
    {
        byte bit = (byte)(1 << (int)(entry.Data & 7));
        return entry.Kind switch
        {
            EntryKind.Away => new GroupMarks((byte)(Away | bit), (byte)(Whole & ~bit)),
            EntryKind.Back => this with { Away = (byte)(Away & ~bit) },
            EntryKind.Whole => new GroupMarks((byte)(Away & ~bit), (byte)(Whole | bit)),
            _ => this,
        };
    }
}
