namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Takes a piece of text. Loop only.</summary>
/// <param name="text">The piece, valid until it ends.</param>
/// <returns>Why no more can be taken; null: more can.</returns>
internal delegate ValueTask<SinkEnd?> TextTaker(ReadOnlyMemory<byte> text);
