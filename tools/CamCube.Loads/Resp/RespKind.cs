namespace CamCube.Loads.Resp;

/// <summary>What an answer of a server that speaks Redis (RESP2) is.</summary>
public enum RespKind
{
    /// <summary>A short text, as OK.</summary>
    Simple,

    /// <summary>A refusal: its first word is its kind.</summary>
    Error,

    /// <summary>A number of 64 bits.</summary>
    Integer,

    /// <summary>Bytes.</summary>
    Bulk,

    /// <summary>Nothing: there is no such key, or a transaction was not done.</summary>
    Null,

    /// <summary>Several answers.</summary>
    Array,
}
