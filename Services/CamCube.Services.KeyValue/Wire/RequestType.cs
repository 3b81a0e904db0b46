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
}
