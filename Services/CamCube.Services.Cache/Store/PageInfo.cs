namespace CamCube.Services.Cache.Store;

/// <summary>What is known of a page.</summary>
internal struct PageInfo
{
    /// <summary>Its size class; 0: free, or of the index.</summary>
    public byte Class;

    /// <summary>Whether it is being emptied: no chunk of it is given out.</summary>
    public bool IsClosing;

    /// <summary>Chunks in use.</summary>
    public int Used;

    /// <summary>Chunks that were ever in use; those behind were never written.</summary>
    public int Opened;

    /// <summary>First free chunk of those.</summary>
    public uint Free;

    /// <summary>Neighbours among the pages of its class with free chunks, or among the free pages; −1: none.</summary>
    public int Next;

    /// <summary>See <see cref="Next"/>.</summary>
    public int Previous;
}
