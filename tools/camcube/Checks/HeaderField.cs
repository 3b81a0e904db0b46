namespace CamCube.Tool.Checks;

/// <summary>A field of a service's header, or of a struct in it.</summary>
/// <param name="Name">Its name as people write filters: <c>words_length</c>, <c>ping.question</c>; unique.</param>
/// <param name="Label">Its name in the code: <c>WordsLength</c>, <c>Ping.Question</c>.</param>
/// <param name="Offset">Bytes of the header in front of it.</param>
/// <param name="Size">Its bytes; of one of them, if there are several.</param>
/// <param name="Count">How many there are, one behind the other: more than 1 for fixed buffers and inline
/// arrays.</param>
/// <param name="Kind">How to show it.</param>
/// <param name="Values">Names of values, of an enum.</param>
/// <param name="IsFlags">Whether several of these hold at once.</param>
internal sealed record HeaderField(
    string Name,
    string Label,
    int Offset,
    int Size,
    int Count,
    HeaderFieldKind Kind,
    IReadOnlyList<HeaderValue> Values,
    bool IsFlags
);
