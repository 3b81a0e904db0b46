using CamCube.Messaging;
using CamCube.Services.Images.Wire;

namespace CamCube.Services.Images.Asking;

/// <summary>What the server of a name has said. Whoever takes it returns the content.</summary>
internal readonly record struct Said(ImagesKind Kind, OwnedBytes Content);
