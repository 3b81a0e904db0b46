using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Records;

/// <summary>What an answer of the key-value store means here.</summary>
internal static class FileStatuses
{
    /// <summary>Of a read or a change.</summary>
    public static FileStatus Of(KeyValueStatus status) =>
        status switch
        {
            KeyValueStatus.Done => FileStatus.Done,
            KeyValueStatus.NotFound => FileStatus.NotFound,
            KeyValueStatus.TooLarge => FileStatus.TooLarge,
            KeyValueStatus.Full => FileStatus.Full,
            KeyValueStatus.DataAway => FileStatus.DataAway,
            KeyValueStatus.Unknown => FileStatus.Unknown,
            KeyValueStatus.BadCursor => FileStatus.BadCursor,
            KeyValueStatus.Conflict => FileStatus.Busy,
            _ => FileStatus.Unavailable,
        };
}
