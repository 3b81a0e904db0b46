namespace CamCube.Calls;

/// <summary>What a service keeps for the keys of one <see cref="Holding{THeld}"/>. Loop only.</summary>
/// <typeparam name="THeld">What is held: a class.</typeparam>
public interface IHeld<THeld>
    where THeld : class
{
    /// <summary>Something new and empty.</summary>
    THeld Begin();

    /// <summary>Ends what was held: nothing of it may be found any more, whenever its memory is given back.</summary>
    /// <param name="held">What was held.</param>
    /// <param name="isEmptied">The keys stay, and only what is held goes: <see cref="Holdings{THeld}.Empty"/>.</param>
    void End(THeld held, bool isEmptied);
}
