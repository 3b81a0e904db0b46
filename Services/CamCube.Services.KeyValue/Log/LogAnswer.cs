namespace CamCube.Services.KeyValue.Log;

/// <summary>What became of a record that was to be appended.</summary>
internal enum LogAnswer
{
    /// <summary>It was taken, and has a ticket.</summary>
    Taken = 0,

    /// <summary>There is no memory for it now: back-pressure. Room comes when the owner is told that something was
    /// synced.</summary>
    Busy = 1,

    /// <summary>It is larger than any buffer.</summary>
    TooLarge = 2,

    /// <summary>The disk has too little room for it. Room comes when something was deleted.</summary>
    Full = 3,

    /// <summary>The log takes nothing any more.</summary>
    Ended = 4,
}
