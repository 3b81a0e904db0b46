namespace CamCube.Services.Cache.Store.Internal;

/// <summary>What a chunk of memory is.</summary>
internal enum ChunkKind : byte
{
    /// <summary>Nothing; its bytes 4 to 7 refer to the next free chunk of the page.</summary>
    Free = 0,

    /// <summary>An item with all of its value.</summary>
    Item = 1,

    /// <summary>An item whose value goes on in other chunks.</summary>
    LongItem = 2,

    /// <summary>A further piece of a value.</summary>
    Piece = 3,
}
