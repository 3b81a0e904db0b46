namespace CamCube.Services.KeyValue;

/// <summary>What a read may answer.</summary>
public enum KeyValueReads : byte
{
    /// <summary>The latest value: no change that was answered before the read began is missed. A majority of the
    /// servers that have the key confirms it.</summary>
    Latest = 0,

    /// <summary>What the first server that has the key has: perhaps an old value, also when nobody else can be
    /// reached.</summary>
    Any = 1,
}
