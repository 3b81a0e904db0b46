using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>What control work found when it began, and leaves behind when it ends: work may be begun within other
/// work.</summary>
/// <param name="Context">The thread's context.</param>
/// <param name="Running">The service whose callback ran, or -1.</param>
/// <param name="Callback">What of it.</param>
internal readonly record struct ControlScope(SynchronizationContext? Context, int Running, CallbackKind Callback);
