namespace CamCube.Services.KeyValue;

/// <summary>What a change makes of the value that is there.</summary>
public enum KeyValueChangeKind : byte
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Adds to a number.</summary>
    Add = 1,

    /// <summary>Puts bytes behind it.</summary>
    Append = 2,

    /// <summary>Puts bytes over a part of it.</summary>
    SetRange = 3,

    /// <summary>Puts another in its place, and gives the old one.</summary>
    Exchange = 4,

    /// <summary>Deletes it, and gives it.</summary>
    Take = 5,

    /// <summary>Leaves it as it is, and says anew how long it is there.</summary>
    Expire = 6,
}
