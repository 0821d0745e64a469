export { readQueryChart, readViewChart } from './read-charts.ts';
