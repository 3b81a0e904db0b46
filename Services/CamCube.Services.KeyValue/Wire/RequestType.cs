namespace CamCube.Services.KeyValue.Wire;

/// <summary>What is asked of a key.</summary>
internal enum RequestType : byte
{
    None = 0,

    /// <summary>The value, as a majority confirms it.</summary>
    Get = 1,

    /// <summary>The value, as it is here.</summary>
    GetAny = 2,

    /// <summary>An answer when the version is another.</summary>
    Wait = 3,

    /// <summary>Another value.</summary>
    Put = 4,

    /// <summary>No value.</summary>
    Delete = 5,

    /// <summary>Some keys of a group: <see cref="ListAsk"/>.</summary>
    List = 6,

    /// <summary>The value and a number.</summary>
    Add = 7,

    /// <summary>More bytes behind the value.</summary>
    Append = 8,

    /// <summary>Other bytes in a part of it.</summary>
    SetRange = 9,

    /// <summary>Another value, and the old one.</summary>
    Exchange = 10,

    /// <summary>No value, and the old one.</summary>
    Take = 11,

    /// <summary>The same value, for another time.</summary>
    Expire = 12,

    /// <summary>Several of these, of keys with one tag: the value is what <see cref="BatchFormat"/> wrote; the key is
    /// that of the first.</summary>
    Batch = 13,

    /// <summary>The version and the length, as a majority confirms them: nothing that would have to be read from the
    /// disk.</summary>
    Look = 14,
}
