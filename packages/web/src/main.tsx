import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './index.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
// Import the theme first: every screen, including the login, follows the system's colour scheme.
import './app/state/theme.ts';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
