namespace CamCube.Experiments.Camdoop;

/// <summary>A file of input that lies at one server, and is made as it is read.</summary>
/// <param name="Path">Its path.</param>
/// <param name="Home">Rank of the server.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Open">Answers what gives it, from its beginning on: writes some lines, whole, and says how many bytes;
/// 0: that was all.</param>
internal sealed record MadeInput(string Path, int Home, long Length, Func<Func<Memory<byte>, int>> Open);
