namespace CamCube.Services.KeyValue;

/// <summary>What a step of a batch does.</summary>
public enum KeyValueStepKind : byte
{
    /// <summary>Nothing: only its condition counts.</summary>
    Check = 0,

    /// <summary>Puts a value.</summary>
    Put = 1,

    /// <summary>Deletes the key.</summary>
    Delete = 2,

    /// <summary>Adds to a number.</summary>
    Add = 3,

    /// <summary>Puts bytes behind the value.</summary>
    Append = 4,

    /// <summary>Puts bytes over a part of it.</summary>
    SetRange = 5,

    /// <summary>Says anew how long the key is there.</summary>
    Expire = 6,
}
